/* A subscriber of another stack (open62541 1.4): takes UADP from a UDP address
 * and prints each value that it has decoded when it changes.
 * Usage: subscriber URL PUBLISHER_ID WRITER_GROUP_ID DATASET_WRITER_ID TYPES SECONDS [128|256 KEY_FILE]
 * PUBLISHER_ID: a number (UInt64) or a text. TYPES: Boolean,Int32,Double,String of the fields, in order.
 * KEY_FILE: signing key, encrypting key and key nonce in one, as bytes; then messages must be signed and encrypted.
 * Exit code 0: every field has had a value. */
#include <open62541/server.h>
#include <open62541/server_config_default.h>
#include <open62541/server_pubsub.h>
#include <open62541/plugin/securitypolicy_default.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELDS 32
#define FIRST_NODE 50000
#define SIGNING_KEY_BYTES 32
#define NONCE_BYTES 4

static size_t count;
static UA_Variant shown[MOST_FIELDS];
static UA_UInt16 types[MOST_FIELDS];

static int typeOf(const char *name) {
    static const char *names[] = {"Boolean", "Int32", "Double", "String"};
    static const int known[] = {UA_TYPES_BOOLEAN, UA_TYPES_INT32, UA_TYPES_DOUBLE, UA_TYPES_STRING};
    for(size_t i = 0; i < 4; i++)
        if(!strcmp(name, names[i]))
            return known[i];
    fprintf(stderr, "unknown type %s\n", name);
    exit(2);
}

static void demand(UA_StatusCode status, const char *what) {
    if(status == UA_STATUSCODE_GOOD)
        return;
    fprintf(stderr, "%s: %s\n", what, UA_StatusCode_name(status));
    exit(2);
}

static void show(UA_Server *server, void *data) {
    (void)data;
    for(size_t i = 0; i < count; i++) {
        UA_Variant value;
        if(UA_Server_readValue(server, UA_NODEID_NUMERIC(1, FIRST_NODE + (UA_UInt32)i), &value))
            continue;
        if(!UA_Variant_isEmpty(&value) && UA_order(&value, &shown[i], &UA_TYPES[UA_TYPES_VARIANT]) != UA_ORDER_EQ) {
            UA_String text = UA_STRING_NULL;
            UA_print(value.data, value.type, &text);
            printf("field %zu %s = %.*s\n", i, value.type->typeName, (int)text.length, (char *)text.data);
            fflush(stdout);
            UA_String_clear(&text);
            UA_Variant_clear(&shown[i]);
            UA_Variant_copy(&value, &shown[i]);
        }
        UA_Variant_clear(&value);
    }
}

static void addGroup(UA_Server *server, UA_NodeId connection, int argc, char **argv, UA_NodeId *group) {
    UA_ReaderGroupConfig config;
    memset(&config, 0, sizeof config);
    config.name = UA_STRING("in");
    if(argc > 8) {
        UA_ServerConfig *its = UA_Server_getConfig(server);
        its->pubSubConfig.securityPolicies = (UA_PubSubSecurityPolicy *)UA_calloc(1, sizeof(UA_PubSubSecurityPolicy));
        its->pubSubConfig.securityPoliciesSize = 1;
        demand(atoi(argv[7]) == 128
            ? UA_PubSubSecurityPolicy_Aes128Ctr(its->pubSubConfig.securityPolicies, its->logging)
            : UA_PubSubSecurityPolicy_Aes256Ctr(its->pubSubConfig.securityPolicies, its->logging), "policy");
        config.securityMode = UA_MESSAGESECURITYMODE_SIGNANDENCRYPT;
        config.securityPolicy = &its->pubSubConfig.securityPolicies[0];
    }
    demand(UA_Server_addReaderGroup(server, connection, &config, group), "reader group");
    if(argc > 8) {
        static UA_Byte key[SIGNING_KEY_BYTES + 32 + NONCE_BYTES];
        size_t encrypting = (size_t)atoi(argv[7]) / 8;
        FILE *file = fopen(argv[8], "rb");
        if(!file || fread(key, 1, SIGNING_KEY_BYTES + encrypting + NONCE_BYTES, file) !=
           SIGNING_KEY_BYTES + encrypting + NONCE_BYTES)
            demand(UA_STATUSCODE_BADNOTREADABLE, "key file");
        fclose(file);
        UA_ByteString signing = {SIGNING_KEY_BYTES, key}, encrypt = {encrypting, key + SIGNING_KEY_BYTES},
            nonce = {NONCE_BYTES, key + SIGNING_KEY_BYTES + encrypting};
        demand(UA_Server_setReaderGroupEncryptionKeys(server, *group, 1, signing, encrypt, nonce), "keys");
    }
}

static void addReader(UA_Server *server, UA_NodeId group, char **argv) {
    UA_DataSetReaderConfig config;
    memset(&config, 0, sizeof config);
    config.name = UA_STRING("reader");
    UA_UInt64 number = strtoull(argv[2], NULL, 10);
    UA_String text = UA_STRING(argv[2]);
    UA_Boolean isNumber = number != 0;
    UA_Variant_setScalar(&config.publisherId, isNumber ? (void *)&number : (void *)&text,
        &UA_TYPES[isNumber ? UA_TYPES_UINT64 : UA_TYPES_STRING]);
    config.writerGroupId = (UA_UInt16)atoi(argv[3]);
    config.dataSetWriterId = (UA_UInt16)atoi(argv[4]);
    UA_FieldMetaData fields[MOST_FIELDS];
    UA_FieldTargetVariable targets[MOST_FIELDS];
    memset(targets, 0, sizeof targets);
    for(size_t i = 0; i < count; i++) {
        UA_FieldMetaData_init(&fields[i]);
        fields[i].dataType = UA_TYPES[types[i]].typeId;
        fields[i].builtInType = (UA_Byte)(UA_TYPES[types[i]].typeKind + 1);
        fields[i].valueRank = UA_VALUERANK_SCALAR;
        UA_VariableAttributes attributes = UA_VariableAttributes_default;
        attributes.dataType = UA_TYPES[types[i]].typeId;
        attributes.accessLevel = UA_ACCESSLEVELMASK_READ | UA_ACCESSLEVELMASK_WRITE;
        char name[16];
        snprintf(name, sizeof name, "field%zu", i);
        UA_NodeId node = UA_NODEID_NUMERIC(1, FIRST_NODE + (UA_UInt32)i);
        demand(UA_Server_addVariableNode(server, node, UA_NODEID_NUMERIC(0, UA_NS0ID_OBJECTSFOLDER),
            UA_NODEID_NUMERIC(0, UA_NS0ID_ORGANIZES), UA_QUALIFIEDNAME(1, name),
            UA_NODEID_NUMERIC(0, UA_NS0ID_BASEDATAVARIABLETYPE), attributes, NULL, NULL), "node");
        targets[i].targetVariable.attributeId = UA_ATTRIBUTEID_VALUE;
        targets[i].targetVariable.targetNodeId = node;
    }
    config.dataSetMetaData.name = UA_STRING("fields");
    config.dataSetMetaData.fields = fields;
    config.dataSetMetaData.fieldsSize = count;
    UA_NodeId reader;
    demand(UA_Server_addDataSetReader(server, group, &config, &reader), "reader");
    demand(UA_Server_DataSetReader_createTargetVariables(server, reader, count, targets), "targets");
}

int main(int argc, char **argv) {
    if(argc != 7 && argc != 9) {
        fprintf(stderr, "see the head of subscriber.c\n");
        return 2;
    }
    for(char *name = strtok(argv[5], ","); name && count < MOST_FIELDS; name = strtok(NULL, ","))
        types[count++] = (UA_UInt16)typeOf(name);
    UA_Server *server = UA_Server_new();
    UA_PubSubConnectionConfig config;
    memset(&config, 0, sizeof config);
    config.name = UA_STRING("udp");
    config.enabled = true;
    config.transportProfileUri = UA_STRING("http://opcfoundation.org/UA-Profile/Transport/pubsub-udp-uadp");
    UA_NetworkAddressUrlDataType address = {UA_STRING_NULL, UA_STRING(argv[1])};
    UA_Variant_setScalar(&config.address, &address, &UA_TYPES[UA_TYPES_NETWORKADDRESSURLDATATYPE]);
    config.publisherIdType = UA_PUBLISHERIDTYPE_UINT32;
    config.publisherId.uint32 = 1;
    UA_NodeId connection, group;
    demand(UA_Server_addPubSubConnection(server, &config, &connection), "connection");
    addGroup(server, connection, argc, argv, &group);
    addReader(server, group, argv);
    demand(UA_Server_setReaderGroupOperational(server, group), "start");
    demand(UA_Server_addRepeatedCallback(server, show, NULL, 50.0, NULL), "timer");
    demand(UA_Server_run_startup(server), "server");
    UA_DateTime end = UA_DateTime_nowMonotonic() + atoi(argv[6]) * UA_DATETIME_SEC;
    while(UA_DateTime_nowMonotonic() < end)
        UA_Server_run_iterate(server, true);
    UA_Server_run_shutdown(server);
    UA_Server_delete(server);
    for(size_t i = 0; i < count; i++) {
        if(UA_Variant_isEmpty(&shown[i])) {
            fprintf(stderr, "field %zu never had a value\n", i);
            return 1;
        }
    }
    return 0;
}
