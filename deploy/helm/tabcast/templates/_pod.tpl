{{/* What the pods of api and workers have in common: {root, settings (of the role), data}. */}}

{{- define "tabcast.podSettings" -}}
serviceAccountName: {{ include "tabcast.serviceAccount" . }}
automountServiceAccountToken: false
# Kubernetes would set TABCAST_PORT for a service of this name, and more that are no settings.
enableServiceLinks: false
# The pause process reaps what a killed slot leaves behind.
shareProcessNamespace: true
terminationGracePeriodSeconds: {{ include "tabcast.graceSeconds" . }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  # Changing files that are there would make the private ones readable by the group, which the service refuses.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* At least half a minute more than jobs have to finish (DRAIN_MS). */}}
{{- define "tabcast.graceSeconds" -}}
{{- $settings := mergeOverwrite (dict) .Values.settings .Values.worker.settings -}}
{{- max (int .Values.terminationGracePeriodSeconds) (add 30 (div (int (get $settings "DRAIN_MS" | default "30000")) 1000)) -}}
{{- end }}

{{- define "tabcast.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* A Secret's files belong to root or are readable by the group; the service wants a keyring that is its own alone. */}}
{{- define "tabcast.keyringContainer" -}}
- name: keyring
  {{- include "tabcast.image" . | nindent 2 }}
  command: [sh, -euc, "umask 077; cat /secret/keyring.json > /keyring/keyring.json"]
  resources:
    requests:
      cpu: 10m
      memory: 16Mi
    limits:
      memory: 64Mi
  volumeMounts:
    - name: secret
      mountPath: /secret
      readOnly: true
    - name: keyring
      mountPath: /keyring
{{- end }}

{{- define "tabcast.volumes" -}}
- name: tmp
  emptyDir: {}
- name: keyring
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
- name: secret
  secret:
    secretName: {{ include "tabcast.secret" . }}
    items:
      - key: keyring.json
        path: keyring.json
{{- end }}

{{- define "tabcast.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
# Not writable: a key that `vault rotate` made here would be gone with the pod, and what it wrapped with it.
- name: keyring
  mountPath: /keyring
  readOnly: true
{{- end }}

{{- define "tabcast.env" -}}
{{- $root := .root -}}
{{- range $name, $value := mergeOverwrite (dict) $root.Values.settings .settings }}
- name: TABCAST_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
- name: TABCAST_DATA_DIR
  value: /data
- name: TABCAST_KEYRING_FILE
  value: /keyring/keyring.json
- name: TABCAST_NATS_URL
  value: {{ ternary (printf "nats://%s-nats:4222" (include "tabcast.fullname" $root)) $root.Values.nats.url $root.Values.nats.enabled | required "nats.url is needed where nats.enabled is false" | quote }}
- name: TABCAST_NATS_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "tabcast.secret" $root }}
      key: nats-token
- name: TABCAST_S3_ENDPOINT
  value: {{ required "s3.endpoint is needed: api and workers share no disk" $root.Values.s3.endpoint | quote }}
{{- with $root.Values.s3.publicEndpoint }}
- name: TABCAST_S3_PUBLIC_ENDPOINT
  value: {{ . | quote }}
{{- end }}
- name: TABCAST_S3_REGION
  value: {{ $root.Values.s3.region | quote }}
- name: TABCAST_S3_BUCKET
  value: {{ $root.Values.s3.bucket | quote }}
- name: TABCAST_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ include "tabcast.secret" $root }}
      key: s3-access-key-id
- name: TABCAST_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "tabcast.secret" $root }}
      key: s3-secret-access-key
{{- end }}
