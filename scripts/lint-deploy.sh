#!/usr/bin/env bash
# Checks deploy/ with the tools that read its files, as far as they are installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../deploy"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

not_checked () { echo "$1 is not installed: $2 was not checked by it"; }

if command -v helm > /dev/null; then
  given=(--set s3.endpoint=https://s3.example.com,s3.accessKeyId=a,s3.secretAccessKey=b --kube-version 1.33.0)
  helm lint --quiet --strict helm/tabcast "${given[@]}"
  helm template tabcast helm/tabcast "${given[@]}" > "$work/defaults.yaml"
  helm template tabcast helm/tabcast "${given[@]}" --set nats.enabled=false,nats.url=nats://queue:4222,existingSecret=mine \
    --set metrics.enabled=true,metrics.serviceMonitor.enabled=true --set-string settings.LOG_LEVEL=warn > "$work/all.yaml"
  helm template tabcast helm/tabcast "${given[@]}" --set metrics.enabled=true,worker.autoscaling.enabled=true \
    --set-string worker.settings.DRAIN_MS=600000 > "$work/scaled.yaml"
  for wanted in 'kind: HorizontalPodAutoscaler' 'terminationGracePeriodSeconds: 630'; do
    grep -q "$wanted" "$work/scaled.yaml" || { echo "helm: with autoscaling there is no $wanted" >&2; exit 1; }
  done
  # Both with the same text would mean that values do nothing.
  if cmp --silent "$work/defaults.yaml" "$work/all.yaml"; then echo 'helm: values do nothing' >&2; exit 1; fi
  echo 'helm: the chart is well'
else
  not_checked helm helm/tabcast
fi

compose=()
if docker compose version > /dev/null 2>&1; then compose=(docker compose); elif command -v docker-compose > /dev/null; then compose=(docker-compose); fi
if [ ${#compose[@]} -gt 0 ]; then
  cp compose.yaml compose.worker.yaml nats.conf "$work"
  # Without the empty ones: what is left out has to be noticed.
  grep -v '=$' .env.example > "$work/.env"
  printf 'TABCAST_NATS_TOKEN=tok_a\nTABCAST_S3_SECRET_ACCESS_KEY=b\n' >> "$work/.env"
  "${compose[@]}" --project-directory "$work" --file "$work/compose.yaml" config --quiet
  printf 'TABCAST_NATS_URL=nats://one:4222\nTABCAST_S3_ENDPOINT=http://one:7070\n' >> "$work/.env"
  "${compose[@]}" --project-directory "$work" --file "$work/compose.worker.yaml" config --quiet
  echo "${compose[*]}: compose.yaml and compose.worker.yaml are well"
else
  not_checked 'docker compose' compose.yaml
fi

if command -v systemd-analyze > /dev/null; then
  # A program that is there, in place of the one that is not installed.
  for unit in systemd/*.service; do sed 's#/opt/tabcast/current/tabcast#/bin/true#' "$unit" > "$work/$(basename "$unit")"; done
  # What it ignores, it says, and ends well; what it says of other units of this machine is not meant.
  systemd-analyze verify "$work"/*.service > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
  if grep -F "$work" "$work/said"; then exit 1; fi
  echo 'systemd-analyze: the units are well'
else
  not_checked systemd-analyze systemd
fi
