{{- define "gateway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gateway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains (include "gateway.name" .) .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "gateway.name" .) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ include "gateway.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "gateway.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "gateway.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "gateway.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- end -}}
{{- end -}}

{{- define "gateway.tlsSecret" -}}
{{- if .Values.http.tls.certManager.enabled -}}
{{- printf "%s-http" (include "gateway.fullname" .) -}}
{{- else -}}
{{- .Values.http.tls.secretName -}}
{{- end -}}
{{- end -}}

{{- define "gateway.httpPort" -}}
{{- dig "Http" "Port" 8080 .Values.config -}}
{{- end -}}

{{- define "gateway.opcUaPort" -}}
{{- dig "OpcUa" "Port" 4840 .Values.config -}}
{{- end -}}

{{- define "gateway.scheme" -}}
{{- if or (include "gateway.tlsSecret" .) (dig "Http" "Tls" "CertificatePath" "" .Values.config) }}https{{ else }}http{{ end -}}
{{- end -}}

{{/* The configuration: what the chart decides, and above it what config says. */}}
{{- define "gateway.config" -}}
{{- $http := dict "Address" "any" -}}
{{- if include "gateway.tlsSecret" . -}}
{{- $_ := set $http "Tls" (dict "CertificatePath" "/data/http-tls/tls.crt" "KeyPath" "/data/http-tls/tls.key") -}}
{{- end -}}
{{- $fixed := dict
  "Http" $http
  "Pki" (dict "Path" "/data/state/pki")
  "Log" (dict "Format" "json") -}}
{{- $config := deepCopy .Values.config -}}
{{- $pubsub := dict -}}
{{- if hasKey $config "PubSub" -}}
{{- $connections := list -}}
{{- range $config.PubSub.Connections -}}
{{- $connections = append $connections (merge . (dict "StorePath" (printf "/data/state/pubsub/%s" .Name))) -}}
{{- end -}}
{{- $pubsub = dict "PubSub" (merge (dict "Connections" $connections) $config.PubSub (dict "NoncesPath" "/data/state/pubsub/nonces.json" "VersionsPath" "/data/state/pubsub/versions.json")) -}}
{{- end -}}
{{- mergeOverwrite $fixed $config $pubsub | toPrettyJson -}}
{{- end -}}

{{/* What a running gateway does not take over: another one is another pod. Whether it publishes at all is part of it. */}}
{{- define "gateway.fixedConfig" -}}
{{- $config := fromJson (include "gateway.config" .) -}}
{{- $publishes := not (empty (dig "PubSub" "Connections" list $config)) -}}
{{- range .Files.Lines "files/live-keys.txt" -}}
{{- $path := splitList ":" . -}}
{{- if eq (len $path) 1 -}}
{{- $_ := unset $config . -}}
{{- else if hasKey $config (first $path) -}}
{{- $_ := unset (get $config (first $path)) (last $path) -}}
{{- end -}}
{{- end -}}
{{- /* A section without a key is none. */ -}}
{{- range $name, $section := $config -}}
{{- if not $section -}}{{- $_ := unset $config $name -}}{{- end -}}
{{- end -}}
{{- dict "config" $config "publishes" $publishes | toJson -}}
{{- end -}}
