// Columns of pods that the page lists; read by check_columns.sh.
constexpr PodColumn kPodColumns[] = {
    pod_column<&owner_of>("lamp.owner"),
};
