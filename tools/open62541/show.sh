#!/usr/bin/env bash
# Shows that a decoder of another stack reads the gateway's UADP: the subscriber of open62541 takes what a gateway
# publishes by datagrams, as Variants, as DataValues, in the fixed layout as RawData, and signed and encrypted.
# Usage: tools/open62541/show.sh GIT_DIR OUT_DIR
# GIT_DIR: a git folder of open62541/open62541 with the tag v1.4.14. OUT_DIR: outside of this repository.
# Needs cmake, gcc, python3, curl and mbedTLS 2.28 (libmbedtls-dev; MBEDTLS=/usr by default), and the gateway built.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); root=$(cd "$here/../.." && pwd)
git_dir=$1; mkdir -p "$2"; out=$(cd "$2" && pwd); mbed=${MBEDTLS:-/usr}; lib=$mbed/lib/x86_64-linux-gnu
gateway=${GATEWAY:-$root/src/Gateway/bin/Debug/net10.0/Gateway.Gateway.dll}

if [ ! -x "$out/subscriber" ]; then
  [ -d "$out/tree" ] || git clone -q --branch v1.4.14 "$git_dir" "$out/tree"
  cmake -S "$out/tree" -B "$out/build" -DCMAKE_BUILD_TYPE=Release -DUA_ENABLE_ENCRYPTION=MBEDTLS \
    -DUA_NAMESPACE_ZERO=REDUCED -DUA_ENABLE_PUBSUB=ON -DUA_ENABLE_PUBSUB_ENCRYPTION=ON \
    -DUA_ENABLE_PUBSUB_INFORMATIONMODEL=OFF -DBUILD_SHARED_LIBS=OFF -DUA_LOGLEVEL=300 \
    -DMBEDTLS_INCLUDE_DIRS="$mbed/include" -DMBEDTLS_LIBRARY="$lib/libmbedtls.a" \
    -DMBEDX509_LIBRARY="$lib/libmbedx509.a" -DMBEDCRYPTO_LIBRARY="$lib/libmbedcrypto.a" > "$out/cmake.log"
  make -C "$out/build" -j"${JOBS:-2}" open62541 > "$out/make.log"
  gcc -O2 -o "$out/subscriber" "$here/subscriber.c" -I"$out/tree/include" -I"$out/tree/deps" \
    -I"$out/tree/plugins/include" -I"$out/build/src_generated" -I"$out/tree/arch" -I"$mbed/include" \
    "$out/build/bin/libopen62541.a" "$lib/libmbedtls.a" "$lib/libmbedx509.a" "$lib/libmbedcrypto.a" -lm -lpthread
fi

group=--PubSub:Connections:0:WriterGroups:0
python3 - "$out" <<'PY'
import base64, json, os, sys
for name, size in (("128", 52), ("256", 68)):
    key = os.urandom(size)
    with open(f"{sys.argv[1]}/key{name}.bin", "wb") as file:
        file.write(key)
    with open(f"{sys.argv[1]}/keys{name}.json", "w") as file:
        json.dump({"policy": f"PubSub-Aes{name}-CTR", "keys": [{"token": 1, "key": base64.b64encode(key).decode()}]}, file)
PY

# show NAME PUBLISHER_ID TYPES_OF_FIELDS [KEY_BITS] -- OPTIONS: a gateway that publishes for ten seconds, and a subscriber.
show() {
  local name=$1 id=$2 types=$3 bits=${4:-}; shift; shift; shift; [ -z "$bits" ] || [ "$bits" = -- ] || shift; shift
  local port=$((20000 + RANDOM % 20000)) folder="$out/run-$name"; rm -rf "$folder"; mkdir -p "$folder"
  local nodes=() i=0
  for type in ${types//,/ }; do nodes+=("--PubSub:DataSets:0:Nodes:$i=nsu=urn:gateway:simulator;s=$type"); i=$((i + 1)); done
  echo "== $name"
  (cd "$folder" && exec dotnet "$gateway" --demo --Simulator:ChangesPerSecond=0 --OpcUa:Port=$((port + 1)) \
    --Http:Port=$((port + 2)) --PubSub:PublisherId="$id" --PubSub:DataSets:0:Name=d --PubSub:DataSets:0:KeyFrameCount=1 \
    "${nodes[@]}" --PubSub:Connections:0:Name=udp --PubSub:Connections:0:Address=opc.udp://127.0.0.1:$port \
    $group:Name=g $group:WriterGroupId=100 $group:PublishingIntervalMs=200 $group:Encoding=uadp \
    $group:DataSetWriters:0:Name=w $group:DataSetWriters:0:DataSetWriterId=7 $group:DataSetWriters:0:DataSet=d \
    "$@" > gateway.log 2>&1) &
  local gateway_process=$! args=()
  case $bits in 128 | 256) args=("$bits" "$out/key$bits.bin") ;; esac
  (sleep 6; curl -s -X PUT -H 'Content-Type: application/json' "http://127.0.0.1:$((port + 2))/api/v1/values" \
    -d '{"values":[{"node":"nsu=urn:gateway:simulator;s=Int32","value":4711},{"node":"nsu=urn:gateway:simulator;s=Double","value":2.5},{"node":"nsu=urn:gateway:simulator;s=Boolean","value":true}]}' \
    > "$folder/write.log") &
  local result=0
  "$out/subscriber" "opc.udp://127.0.0.1:$port/" "$id" 100 7 "$types" 10 "${args[@]}" | tee "$folder/values.log" || result=$?
  kill "$gateway_process"; wait "$gateway_process" 2> /dev/null || true
  for value in "Int32 = 4711" "Double = 2.5" "Boolean = true"; do
    grep -q "$value" "$folder/values.log" || { echo "missing: $value"; result=1; }
  done
  echo "== $name: $([ $result = 0 ] && echo read || echo FAILED)"
  failed=$((failed + result))
}

failed=0
with_group=NetworkMessageContent=PublisherId,GroupHeader,WriterGroupId,GroupVersion,NetworkMessageNumber,SequenceNumber
show variant plant Boolean,Int32,Double,String -- $group:FieldEncoding=Variant
show datavalue plant Boolean,Int32,Double,String --
show group-header plant Boolean,Int32,Double -- $group:FieldEncoding=Variant "$group:$with_group,PayloadHeader,Timestamp"
show dynamic 4711 Boolean,Int32,Double -- --PubSub:Connections:0:PublisherIdType=UInt64 $group:HeaderLayout=dynamic
show periodic-fixed 4711 Boolean,Int32,Double -- --PubSub:Connections:0:PublisherIdType=UInt64 \
  $group:HeaderLayout=periodic-fixed
for bits in 128 256; do
  show "aes$bits" plant Boolean,Int32,Double $bits -- $group:FieldEncoding=Variant $group:SecurityMode=SignAndEncrypt \
    "$group:KeysPath=$out/keys$bits.json" "$group:$with_group,PayloadHeader"
done
exit $((failed > 0))
