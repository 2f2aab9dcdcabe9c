#!/bin/bash
# A sweep in 16 parts, as a Slurm array. `sbatch slurm.sh` in a folder that all nodes share, and when
# the array is through:
#
#   berth-bench merge part-*.json --report sweep.html
#
#SBATCH --job-name=sweep
#SBATCH --array=1-16
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
set -euo pipefail

part=$SLURM_ARRAY_TASK_ID
berth-bench sweep mixed --set nodes=1000 --set pods=20000 \
  --vary weight:NodeResourcesFit=1,2,4,8 --vary percentage=10,50,100 --vary seed=0..9 \
  --part "$part/$SLURM_ARRAY_TASK_COUNT" -o json >".part-$part.json"
mv ".part-$part.json" "part-$part.json"
