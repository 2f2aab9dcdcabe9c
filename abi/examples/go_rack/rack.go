// GoRack, a Filter: a pod with the label example.com/rack runs only on nodes with the same value. The
// table and the descriptor are in plugin.c.
package main

// #include "berth/abi/filter.h"
import "C"
import "unsafe"

// The columns that plugin.c declares, by their indices in a call.
const (
	wanted = iota
	rack
)

// One verdict for each position, a node. A panic would end the process: it is an error of this call.
//
//export rackFilter
func rackFilter(call *C.berth_call, verdicts *C.uint8_t) (code C.berth_code) {
	defer func() {
		if recover() != nil {
			code = C.BERTH_ERROR
		}
	}()
	columns := unsafe.Slice(call.columns, rack+1)
	mine := *(*uint32)(columns[wanted].data)
	racks := unsafe.Slice((*uint32)(columns[rack].data), int(call.count))
	answers := unsafe.Slice((*uint8)(verdicts), int(call.count))
	for i := range answers {
		answers[i] = C.BERTH_SUCCESS
		if mine != 0 && racks[i] != mine {
			answers[i] = C.BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE
		}
	}
	return C.BERTH_SUCCESS
}

func main() {}
