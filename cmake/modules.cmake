# The table of allowed dependencies. Three checks use it: berth_module() for DEPENDS, the include
# check (tests/tree/check_includes.cmake) for #include, and the link test (tests/tree) for symbols.

# Every module with its folder, lowest first.
set(BERTH_MODULES
  base document model events ingest config host isolation framework extenders queue binding kube runtime controllers played output drive metrics
  startup service explain conformance validator cli loadgen bench)

foreach(module IN LISTS BERTH_MODULES)
  set(BERTH_FOLDER_${module} engine/${module})
endforeach()
set(BERTH_FOLDER_loadgen loadgen)
set(BERTH_FOLDER_bench bench)
set(BERTH_FOLDER_cli cli)

# `abi` is not a module but the contract: the headers in abi/include.
set(BERTH_MAY_USE_base)
set(BERTH_MAY_USE_document base)
set(BERTH_MAY_USE_model base abi)
set(BERTH_MAY_USE_events base document model abi)
set(BERTH_MAY_USE_ingest base document model abi)
set(BERTH_MAY_USE_config base document model)
set(BERTH_MAY_USE_host base document model abi)
set(BERTH_MAY_USE_isolation base model host abi)
set(BERTH_MAY_USE_framework base model host abi)
set(BERTH_MAY_USE_extenders base document model ingest config host framework abi)
set(BERTH_MAY_USE_queue base model host)
set(BERTH_MAY_USE_binding base model host framework abi)
set(BERTH_MAY_USE_kube base document model events ingest)
set(BERTH_MAY_USE_runtime
  base document model events ingest config host framework extenders queue binding abi)
set(BERTH_MAY_USE_controllers base model abi)
set(BERTH_MAY_USE_played
  base document model events ingest config host framework queue binding runtime controllers abi)
set(BERTH_MAY_USE_output base document model abi)
set(BERTH_MAY_USE_drive
  base document model ingest config host framework queue binding runtime output abi)
set(BERTH_MAY_USE_metrics base document model host framework queue binding runtime abi)
set(BERTH_MAY_USE_startup base model config host isolation framework runtime played)
set(BERTH_MAY_USE_service
  base document model events ingest config host framework queue binding kube runtime drive metrics output startup abi)
set(BERTH_MAY_USE_explain base document model host framework runtime)
set(BERTH_MAY_USE_conformance
  base document model events ingest config host framework queue binding runtime controllers played)
set(BERTH_MAY_USE_validator base document model host framework abi)
set(BERTH_MAY_USE_cli
  base document model events ingest config host framework queue binding runtime controllers played drive metrics output
  startup kube service explain conformance validator)
set(BERTH_MAY_USE_loadgen base document model ingest config output abi)
set(BERTH_MAY_USE_bench
  base document model events ingest config host isolation framework queue binding runtime played drive output startup
  loadgen)
