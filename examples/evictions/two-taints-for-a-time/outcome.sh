# A pod stays for the shorter of its two times, 60 and 30 seconds.
berth run --cluster cluster.yaml --pods watch.jsonl --events "$output/events.jsonl"
runs later n1
happens 30 'Marking for deletion Pod default/maintenance-first'
happens 60 'Marking for deletion Pod default/hot-first'
warns '"Pod is evicted" pod="default/maintenance-first" reason="DeletionByTaintManager"'
warns 'cause="taint maintenance:NoExecute"'
warns 'cause="taint hot:NoExecute"'
