# half:  (75*1 + 75*1 + 75*3 + 25*3) / 8 = 56     empty: (25*1 + 25*1 + 25*3 + 25*3) / 8 = 25
berth run --cluster cluster.yaml --pods pods.yaml --config scheduler.yaml
runs by-packing half
scores by-packing NodeResourcesFit half=56 empty=25
# The default spreads: then half has 8 of 8 processors, and the emptier node is better.
runs by-default-scheduler empty
