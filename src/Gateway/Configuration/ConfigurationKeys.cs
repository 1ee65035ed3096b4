using System.Collections.Frozen;
using System.Globalization;
using System.Reflection;
using Gateway.Admission;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.PubSub;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Load;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Host.Configuration;

/// <summary>Every key of the configuration, for <c>--help</c> and for the suggestions after a misspelt key. The
/// meanings of the limits come from docs/sizing.md, which is embedded.</summary>
internal static class ConfigurationKeys
{
    private static readonly string Policies = string.Join(", ", SecurityPolicies.Secured);
    private static readonly string StandardPort =
        TransportProfiles.UaTcp.DefaultPort.ToString(CultureInfo.InvariantCulture);

    private static readonly Type[] Limits =
    [
        typeof(TransportLimits), typeof(HttpLimits), typeof(RestLimits), typeof(ServerLimits), typeof(PublishLimits),
        typeof(AdmissionLimits), typeof(UpstreamLimits), typeof(LogLimits), typeof(TokenLimits), typeof(PubSubLimits),
        typeof(OtlpLimits),
    ];

    private static readonly ConfigurationKey[] Settings =
    [
        new("Demo", "false", "a first look without any security, as --demo"),
        new(CommandLine.PathKey, "appsettings.json of the working directory",
            "the file with the other keys; on the command line or in the environment"),
        new("OpcUa:Address", "any", "where UA-TCP listens: an IP address of this machine, localhost or any"),
        new("OpcUa:Port", StandardPort, "its port"),
        new("OpcUa:EndpointUrls:N", "none", "the URLs that GetEndpoints lists; none: the host that the client used"),
        new("OpcUa:SecurityPolicies:N", Policies, "the policies on offer; None only when you name it"),
        new("OpcUa:ApplicationUri", $"urn:<host>:opcua-gateway, with :<port> unless {StandardPort}",
            "goes into the certificate that the first start makes"),
        new("OpcUa:ApplicationName", "OPC UA Gateway", "goes into that certificate"),
        new("OpcUa:HostNames:N", "none", "further host names and IP addresses in that certificate"),
        new("Http:Address", "127.0.0.1", "where HTTP listens; any opens it to other machines"),
        new("Http:Port", "8080", "its port"),
        new("Http:Tls:CertificatePath", "none", "PEM file: HTTPS, and HTTP/2; read again when it changes"),
        new("Http:Tls:KeyPath", "none", "PEM file of its key, without a password"),
        new("Http:Cors:Origins:N", "none", "pages of other origins that may use it, as https://hmi.plant.example"),
        new("Http:AllowInsecureLogin", "false", "take passwords and tokens of other machines over plain HTTP"),
        new("Pki:Path", "pki", "the PKI folders; relative to where the program was started"),
        new("Pki:AutoTrust", "false", "accept every client's certificate"),
        new("Pki:AcceptUnknownRevocation", "false", "accept certificates without a current revocation list"),
        new("Pki:AcceptMissingKeyUsage", "false", "accept certificates without the KeyUsage extension"),
        new("Pki:AcceptMissingDataEncipherment", "false", "accept certificates whose KeyUsage lacks dataEncipherment"),
        new("Pki:MaxRejectedCertificates", "200", "how many rejected certificates are kept as files"),
        new("Pki:TrustedUserRoles:N", "Observer", "roles of users whose certificate lies in trustedUser/certs"),
        new("Durable:Enabled", "true", "whether subscriptions may become durable"),
        new("Durable:Path", "durable in the folder of Pki:Path", "folder of durable subscriptions"),
        new("Audit:Enabled", "true", "whether the audit trail is kept in files"),
        new("Audit:Path", "audit in the folder of Pki:Path", "folder of the audit trail"),
        new("Audit:MaxFileBytes", "8388608", "an audit file of this size is followed by the next one"),
        new("Audit:MaxBytes", "134217728", "of all audit files; above it the oldest one is deleted"),
        new("Audit:MaxQueueBytes", "1048576", "of lines that wait in memory for the disk; further ones are lost"),
        new("Users:N:Name", "", "a user"),
        new("Users:N:PasswordHash", "none", "of the password, as --hash-password prints it", IsSecret: true),
        new("Users:N:Password", "none", "the password in clear, instead of PasswordHash", IsSecret: true),
        new("Users:N:CertificateThumbprint", "none", "SHA-1 of the user's certificate"),
        new("Users:N:Roles:N", "Observer", "Observer, Operator, Engineer, SecurityAdmin"),
        new("Anonymous:Enabled", "true", "whether the anonymous user may come"),
        new("Anonymous:Roles:N", "Observer", "his roles"),
        new("Jwt:Issuer", "none", "whose tokens are taken, over HTTP and as user tokens: their claim iss"),
        new("Jwt:Audience", "none", "their claim aud"),
        new("Jwt:KeysPath", "none", "JWKS or PEM file with the issuer's public keys; read again when it changes"),
        new("Jwt:KeysUrl", "none", "https URL of the issuer's JWKS, instead of KeysPath; http only on this machine"),
        new("Jwt:RoleClaim", "roles", "the claim that gives roles; points lead into objects: realm_access.roles"),
        new("Jwt:Roles:<claim value>", "none", "roles of users whose claim has that value, as Operator"),
        new("ReverseConnect:Port", "0", "TCP port where upstreams behind a firewall connect to; 0: none")
        {
            IsNumber = true,
        },
        new("ReverseConnect:Address", "any", "where it listens"),
        new("Upstreams:N:Name", "", "a controller behind the gateway"),
        new("Upstreams:N:Driver", "opcua", "what it speaks: opcua or modbus") { Choices = ["opcua", "modbus"] },
        new("Upstreams:N:EndpointUrl", "", "opc.tcp://host:port; with Driver modbus: modbus://host:502"),
        new("Upstreams:N:ReverseConnect", "false", "it connects to ReverseConnect:Port, with this EndpointUrl"),
        new("Upstreams:N:ServerUri", "any", "the ApplicationUri that the server at EndpointUrl has to have"),
        new("Upstreams:N:BackupUrls:N", "none", "servers of its redundant set that stand in for it"),
        new("Upstreams:N:Standby", "auto", "what they do meanwhile; auto: as their RedundancySupport says")
        {
            Choices = ["auto", "cold", "warm", "hot"],
        },
        new("Upstreams:N:SecurityPolicy", "the best of both", "never None unless it is named"),
        new("Upstreams:N:SecurityMode", "SignAndEncrypt", "SignAndEncrypt, Sign, or None with SecurityPolicy None"),
        new("Upstreams:N:User", "anonymous", "who the gateway is there"),
        new("Upstreams:N:Password", "none", "of that user", IsSecret: true),
        new("Upstreams:N:AllowInsecurePassword", "false", "send the password without knowing to whom"),
        new("Upstreams:N:Roots:N", "Objects, without Server", "node ids where browsing starts"),
        new("Upstreams:N:PublishingIntervalMs", "250", "publishing interval of its subscription, in milliseconds"),
        new("Upstreams:N:Events", "true", "follow its events and alarms, by one more subscription there"),
        new("Upstreams:N:DriftGuard", "true", "tell what changed in its model, and serve old node ids on"),
        new("Upstreams:N:MaxNodes", "200000", "the most nodes that the gateway imports"),
        new("Upstreams:N:Profile", UpstreamProfiles.Generic,
            "the kind of server: the load budget begins with its figures")
        {
            Choices = [.. UpstreamProfiles.Names],
        },
        new("Upstreams:N:MaxItems", "by Profile", "items that the gateway monitors there at most") { IsNumber = true },
        new("Upstreams:N:MaxConcurrentRequests", "by Profile", "requests to it at a time, at most")
        {
            IsNumber = true,
        },
        new("Upstreams:N:MaxRequestsPerSecond", "by Profile", "requests to it in a second, at most")
        {
            IsNumber = true,
        },
        new("Upstreams:N:MaxReadsPerSecond", "by Profile", "values read from it in a second, at most")
        {
            IsNumber = true,
        },
        new("Upstreams:N:BridgeSeconds", "5",
            "how long its values keep their status after a lost connection; 0: not at all"),
        new("Upstreams:N:BrowseIntervalSeconds", "600", "after which it is browsed again; 0: only at a connect"),
        .. ModbusKeys,
        new("PubSub:PublisherId", "the last part of the ApplicationUri", "names the gateway on every broker"),
        new("PubSub:NoncesPath", "pubsub/nonces.json", "with keys: a file that keeps nonces from being used twice"),
        new("PubSub:VersionsPath", "pubsub/versions.json", "a file that keeps the versions of data sets"),
        new("PubSub:KeyServices:N:EndpointUrl", "",
            "opc.tcp://host:port of a Security Key Service; asked in this order"),
        new("PubSub:KeyServices:N:User", "anonymous", "who the gateway is there"),
        new("PubSub:KeyServices:N:Password", "none", "of that user", IsSecret: true),
        new("PubSub:DataSets:N:Name", "", "a set of fields that is published together"),
        new("PubSub:DataSets:N:Nodes:N", "", "node ids, browse paths, or a path that ends in /* or /**"),
        new("PubSub:DataSets:N:Fields:N:Node", "", "a node id or browse path: a field with settings of its own"),
        new("PubSub:DataSets:N:Fields:N:Name", "the node's", "of the field"),
        new("PubSub:DataSets:N:Fields:N:SamplingIntervalMs", "the data set's", "0 takes every change")
        {
            IsNumber = true,
        },
        new("PubSub:DataSets:N:Fields:N:Deadband", "the data set's", "the least change of a number that counts")
        {
            IsNumber = true,
        },
        new("PubSub:DataSets:N:EventNotifier", "", "a node that has events: the data set is of these, not of values"),
        new("PubSub:DataSets:N:EventTypes:N", "all", "names or node ids of types of events, with their subtypes"),
        new("PubSub:DataSets:N:EventMinSeverity", "0", "events of at least this severity, 0 to 1000"),
        new("PubSub:DataSets:N:EventFields:N", "the usual ones", "names of fields, such as message"),
        new("PubSub:DataSets:N:SamplingIntervalMs", "0", "0 takes every change"),
        new("PubSub:DataSets:N:Deadband", "0", "the least change of a number that counts"),
        new("PubSub:DataSets:N:KeyFrameCount", "10", "all fields come at least every so many publishing intervals"),
        new("PubSub:Connections:N:Name", "", "a broker, or a datagram address"),
        new("PubSub:Connections:N:Address", "", "mqtt://host:1883, mqtts://host:8883 or opc.udp://224.0.2.14:4840"),
        new("PubSub:Connections:N:DiscoveryAddress", "its own multicast group",
            "of datagrams: opc.udp://host:port where probes for metadata go; none"),
        new("PubSub:Connections:N:NetworkInterface", "",
            "of a multicast group: the interface for it, by its name or an address that it has; empty: by the routes"),
        new("PubSub:Connections:N:PublisherIdType", "String",
            "of the PublisherId in uadp: String, or a type of numbers")
        {
            Choices = ["String", "Byte", "UInt16", "UInt32", "UInt64"],
        },
        new("PubSub:Connections:N:User", "none", "of the broker"),
        new("PubSub:Connections:N:Password", "none", "of that user", IsSecret: true),
        new("PubSub:Connections:N:AllowInsecurePassword", "false", "send it in clear text to another machine"),
        new("PubSub:Connections:N:CaPath", "the system's", "PEM file of the authorities that vouch for the broker"),
        new("PubSub:Connections:N:CertificatePath", "none", "PEM file of the gateway's certificate for the broker"),
        new("PubSub:Connections:N:KeyPath", "none", "PEM file of its key"),
        new("PubSub:Connections:N:ClientId", "gateway-<PublisherId>", "of MQTT"),
        new("PubSub:Connections:N:MqttVersion", "5.0", "5.0 or 3.1.1") { Choices = ["5.0", "3.1.1"] },
        new("PubSub:Connections:N:Qos", "1", "1: at least once; 0: at most once"),
        new("PubSub:Connections:N:TopicPrefix", "opcua", "the first level of all topics"),
        new("PubSub:Connections:N:StorePath", "pubsub/<Name>", "folder of what waits for the broker"),
        new("PubSub:Connections:N:StoreMaxBytes", "1073741824", "above it the oldest messages are lost, and reported"),
        new("PubSub:Connections:N:StoreOrder", "oldest-first",
            "live-first: new messages before those that waited; newest-first: these backwards, too")
        {
            Choices = ["oldest-first", "live-first", "newest-first"],
        },
        new("PubSub:Connections:N:StoreDrainBytesPerSecond", "67108864", "how fast those that waited are read"),
        new("PubSub:Connections:N:StoreFsync", "interval", "when the disk must have messages: interval, each, never")
        {
            Choices = ["interval", "each", "never"],
        },
        new("PubSub:Connections:N:WriterGroups:N:Name", "", "DataSetWriters with the same interval and encoding"),
        new("PubSub:Connections:N:WriterGroups:N:WriterGroupId", "", "1 to 65535") { IsNumber = true },
        new("PubSub:Connections:N:WriterGroups:N:Encoding", "json",
            "json, json-compact, json-raw, json-reversible, json-nonreversible, uadp or plain")
        {
            Choices = ["json", "json-compact", "json-raw", "json-reversible", "json-nonreversible", "uadp", "plain"],
        },
        new("PubSub:Connections:N:WriterGroups:N:Template", "{\"v\":${v},\"t\":${t},\"q\":${q}}",
            "of plain: the text of each field's message"),
        new("PubSub:Connections:N:WriterGroups:N:HeaderLayout", "none",
            "of uadp, a layout of the standard: periodic-fixed or dynamic"),
        new("PubSub:Connections:N:WriterGroups:N:FieldEncoding", "by Encoding and HeaderLayout",
            "DataValue, Variant or RawData"),
        new("PubSub:Connections:N:WriterGroups:N:FieldContent", "StatusCode,SourceTimestamp",
            "the parts of a DataValue, with commas between them"),
        new("PubSub:Connections:N:WriterGroups:N:NetworkMessageContent", "the usual parts",
            "names of the standard's mask, with commas between them"),
        new("PubSub:Connections:N:WriterGroups:N:DataSetMessageContent", "the usual parts",
            "names of the standard's mask, with commas between them"),
        new("PubSub:Connections:N:WriterGroups:N:PublishingIntervalMs", "1000", "how often changes are published"),
        new("PubSub:Connections:N:WriterGroups:N:KeepAliveMs", "10000", "a message comes at least so often"),
        new("PubSub:Connections:N:WriterGroups:N:Batched", "false", "all writers' messages in one, on one topic"),
        new("PubSub:Connections:N:WriterGroups:N:SecurityMode", "None", "None, Sign or SignAndEncrypt, of uadp")
        {
            Choices = ["None", "Sign", "SignAndEncrypt"],
        },
        new("PubSub:Connections:N:WriterGroups:N:KeysPath", "none", "file of the keys for that"),
        new("PubSub:Connections:N:WriterGroups:N:SecurityGroupId", "none", "in its place: keys of PubSub:KeyServices"),
        new("PubSub:Connections:N:WriterGroups:N:DataSetWriters:N:Name", "", "publishes one data set"),
        new("PubSub:Connections:N:WriterGroups:N:DataSetWriters:N:DataSetWriterId", "", "1 to 65535")
        {
            IsNumber = true,
        },
        new("PubSub:Connections:N:WriterGroups:N:DataSetWriters:N:DataSet", "", "the name of the data set"),
        new("PubSub:Connections:N:ReaderGroups:N:Name", "", "DataSetReaders with the same encoding"),
        new("PubSub:Connections:N:ReaderGroups:N:Encoding", "json", "json, of every layout, or uadp")
        {
            Choices = ["json", "uadp"],
        },
        new("PubSub:Connections:N:ReaderGroups:N:SecurityMode", "None", "of uadp: messages with less are refused")
        {
            Choices = ["None", "Sign", "SignAndEncrypt"],
        },
        new("PubSub:Connections:N:ReaderGroups:N:KeysPath", "none", "file of the keys for that"),
        new("PubSub:Connections:N:ReaderGroups:N:SecurityGroupId", "none", "in its place: keys of PubSub:KeyServices"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:Name", "", "the object that holds its fields"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:PublisherId", "", "the publisher that it reads"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:DataSetWriterId", "", "1 to 65535"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:WriterGroupId", "0",
            "of uadp without payload header: the group of this writer; 0: any"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:GroupVersion", "0",
            "of messages without versions; 0: that of the newest metadata"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:MessageReceiveTimeoutMs", "30000",
            "its values are stale after such a silence"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:NodeIds", "published",
            "published: those of the metadata; own: of a namespace of its own"),
        new("PubSub:Connections:N:ReaderGroups:N:DataSetReaders:N:MetaDataPath", "none",
            "a file with the metadata message, in JSON"),
        new("NodeSets:Path", "none", "folder of NodeSet2 files that are loaded at start"),
        new("Simulator:Enabled", "true", "the embedded plant"),
        new("Simulator:Tags", "1000", "its counting tags"),
        new("Simulator:ChangesPerSecond", "1000", "changes of all tags together"),
        new("Simulator:EventsPerSecond", "0", "events of the plant on the Server object, for load tests"),
        new("Simulator:Alarms", "0", "alarms that the plant's method SetAlarms(Count) makes active, for load tests"),
        new("Admission:Enabled", "true", "false: only the hard limits act"),
        new("Alarms:Confirm", "false", "an alarm that is acknowledged waits for a confirmation, too"),
        new("Alarms:Path", "alarms.json in the folder of Pki:Path",
            "a file that keeps acknowledgements, comments and shelvings of the gateway's own alarms"),
        new("Shutdown:AnnounceSeconds", "2", "how long clients see the shutdown announced"),
        new("Shutdown:ReturnSeconds", "5", "how long after that a new process is expected: EstimatedReturnTime"),
        new("Shutdown:GraceSeconds", "10", "after how long everything has ended"),
        new("Log:Format", "simple", "simple or json") { Choices = ["simple", "json"] },
        new("Log:Level", "Information", "the least level of a line: Trace, Debug, Information, Warning, Error, None")
        {
            Choices = ["Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"],
        },
        new("Log:Levels:<category>", "none", "another level for what begins so: Gateway.Server, Microsoft"),
        new("Otlp:Endpoint", "none", "URL of a collector for traces, metrics and logs; empty: off"),
        new("Otlp:Protocol", "grpc", "grpc or http/protobuf") { Choices = ["grpc", "http/protobuf"] },
        new("Otlp:SampleRatio", "0.01", "the share of requests that are traced: 0 to 1"),
    ];

    /// <summary>Of <c>Upstreams</c> with <c>Driver: modbus</c>.</summary>
    private static IEnumerable<ConfigurationKey> ModbusKeys =>
    [
        new("Upstreams:N:UnitId", "1", "modbus: the unit behind the address, 0 to 255"),
        new("Upstreams:N:PollIntervalMs", "1000", "modbus: the shortest sampling interval that clients get"),
        new("Upstreams:N:RequestTimeoutMs", "2000", "modbus: how long one whole answer may take"),
        new("Upstreams:N:MaxRegistersPerRead", "125", "modbus: of one request; sixteen times as many bits"),
        new("Upstreams:N:MaxGap", "8", "modbus: unused registers that are read along between two tags"),
        new("Upstreams:N:ByteOrder", "big", "modbus: which byte of a register comes first") { Choices = Orders },
        new("Upstreams:N:WordOrder", "big", "modbus: which register of a value comes first") { Choices = Orders },
        new("Upstreams:N:Tags:N:Name", "", "a value of the device: its variable"),
        new("Upstreams:N:Tags:N:Table", "holding", "holding, input, coil or discrete")
        {
            Choices = ["holding", "input", "coil", "discrete"],
        },
        new("Upstreams:N:Tags:N:Address", "0", "of its first register or of its bit, from 0 on"),
        new("Upstreams:N:Tags:N:Type", "uint16, of bits boolean", "what its registers hold")
        {
            Choices =
            [
                "uint16", "int16", "uint32", "int32", "uint64", "int64", "float", "double", "boolean", "string",
            ],
        },
        new("Upstreams:N:Tags:N:Length", "none", "of a string: its bytes, two a register") { IsNumber = true },
        new("Upstreams:N:Tags:N:Bit", "none", "of a boolean of a register: 0 to 15") { IsNumber = true },
        new("Upstreams:N:Tags:N:Scale", "1", "the value is the device's times this, plus Offset: a Double"),
        new("Upstreams:N:Tags:N:Offset", "0", "see Scale"),
        new("Upstreams:N:Tags:N:ByteOrder", "the device's", "which byte of a register comes first")
        {
            Choices = Orders,
        },
        new("Upstreams:N:Tags:N:WordOrder", "the device's", "which register comes first") { Choices = Orders },
        new("Upstreams:N:Tags:N:UnitId", "the device's", "another unit behind the address") { IsNumber = true },
        new("Upstreams:N:Tags:N:Writable", "false", "clients may write it: holding and coil"),
    ];

    private static string[] Orders => ["big", "little"];

    /// <param name="pattern">Of a key or of a list: <c>Upstreams:N:Roots</c>.</param>
    public static bool IsKnown(string pattern) => Known.Contains(pattern);

    public static IReadOnlyList<ConfigurationKey> All { get; } = [.. Settings, .. OfLimits()];

    private static readonly FrozenSet<string> Known = All
        .SelectMany(static key => Prefixes(key.Name)).ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>A key with the sections and lists that it lies in.</summary>
    private static IEnumerable<string> Prefixes(string name)
    {
        yield return name;
        for (var end = name.LastIndexOf(':'); end > 0; end = name.LastIndexOf(':', end - 1))
            yield return name[..end];
    }

    private static IEnumerable<ConfigurationKey> OfLimits()
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var type in Limits)
        {
            var limits = Activator.CreateInstance(type)!;
            foreach (var property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance))
            {
                if (property.SetMethod is not null && seen.Add(property.Name))
                    yield return new ConfigurationKey(
                        $"{LimitsReader.Section}:{property.Name}",
                        Convert.ToString(property.GetValue(limits), CultureInfo.InvariantCulture)!,
                        LimitPage.All.GetValueOrDefault(property.Name)?.Bounds ?? "");
            }
        }
    }
}
