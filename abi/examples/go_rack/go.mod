module example.com/go_rack

go 1.19
