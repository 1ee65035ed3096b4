using System.Net;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Options;

/// <summary>A PubSubConnection: one broker, or one datagram address. Source: Part 14 §6.2.7.</summary>
public sealed record ConnectionOptions
{
    /// <summary>Room for several of the largest messages, in memory and on the disk.</summary>
    private const long MinStoreBytes = 4 << 20;

    private const long MinDrainBytes = 64 << 10;

    private const string NeedsTls = "needs an address with mqtts://";

    public string Name { get; init; } = "";

    /// <summary><c>mqtt://host:1883</c>, <c>mqtts://host:8883</c>, <c>opc.udp://224.0.2.14:4840</c>.</summary>
    public string Address { get; init; } = "";

    /// <summary>Of datagrams: where publishers listen for probes, and readers send them to; <c>none</c>: nowhere;
    /// empty: at the connection's own address if it is a multicast group, else nowhere. Source: Part 14 §6.4.1.2.
    /// </summary>
    public string DiscoveryAddress { get; init; } = "";

    /// <summary>Of a multicast group: this machine's network interface for it, by its name or an address that it has;
    /// empty: the system's routes choose one. Source: Part 14 §6.2.7.5.2.</summary>
    public string NetworkInterface { get; init; } = "";

    /// <summary>The type of the PublisherId in UADP: <c>String</c>, or one of numbers that the PublisherId has to be
    /// then: <c>Byte</c>, <c>UInt16</c>, <c>UInt32</c>, <c>UInt64</c>.</summary>
    public string PublisherIdType { get; init; } = nameof(UadpPublisherIdType.String);

    public string User { get; init; } = "";

    public string Password { get; init; } = "";

    /// <summary>Lets the password travel in clear text to another machine.</summary>
    public bool AllowInsecurePassword { get; init; }

    /// <summary>PEM file of the authorities that the broker's certificate must come from; empty: the system's.
    /// </summary>
    public string CaPath { get; init; } = "";

    /// <summary>PEM files of the certificate that the broker asks of its clients; empty: none.</summary>
    public string CertificatePath { get; init; } = "";

    public string KeyPath { get; init; } = "";

    /// <summary>Empty: <c>gateway-</c> and the PublisherId.</summary>
    public string ClientId { get; init; } = "";

    /// <summary>3.1.1 or 5.0.</summary>
    public string MqttVersion { get; init; } = "5.0";

    /// <summary>0: at most once; 1: at least once.</summary>
    public int Qos { get; init; } = 1;

    /// <summary>The first level of all topics.</summary>
    public string TopicPrefix { get; init; } = "opcua";

    /// <summary>Folder of the messages that wait for the broker. Empty: <c>pubsub/</c> and the connection's name.
    /// </summary>
    public string StorePath { get; init; } = "";

    public long StoreMaxBytes { get; init; } = 1L << 30;

    /// <summary><c>oldest-first</c>: strictly in order; <c>live-first</c>: after an outage new messages leave at once,
    /// and those that waited leave in order beside them; <c>newest-first</c>: those that waited leave from the newest
    /// one backwards.</summary>
    public string StoreOrder { get; init; } = "oldest-first";

    /// <summary>How fast messages that waited are read from the disk.</summary>
    public long StoreDrainBytesPerSecond { get; init; } = 64 << 20;

    /// <summary><c>interval</c>: the disk has all but the last second; <c>each</c>: a message leaves when the disk has
    /// it; <c>never</c>: the system decides. Matters when the machine loses its power.</summary>
    public string StoreFsync { get; init; } = "interval";

    public IReadOnlyList<WriterGroupOptions> WriterGroups { get; init; } = [];

    /// <summary>The way in.</summary>
    public IReadOnlyList<ReaderGroupOptions> ReaderGroups { get; init; } = [];

    /// <summary>Null where <see cref="Address"/> is none.</summary>
    public Uri? Url => Uri.TryCreate(Address, UriKind.Absolute, out var url) &&
        url.Scheme is "mqtt" or "mqtts" or "opc.udp" && url.Host.Length > 0 ? url : null;

    /// <summary>Of probes; null: there are none.</summary>
    public Uri? ProbeUrl => DiscoveryAddress switch
    {
        "none" => null,
        "" => IsGroup(Url) ? Url : null,
        _ => Uri.TryCreate(DiscoveryAddress, UriKind.Absolute, out var url) && url.Scheme == "opc.udp" &&
            url.Host.Length > 0 ? url : null,
    };

    private bool HasGroup => IsGroup(Url) || IsGroup(ProbeUrl);

    public bool IsMqtt => Url?.Scheme is "mqtt" or "mqtts";

    /// <summary>The id as UADP has it.</summary>
    internal UadpPublisherId WireIdOf(string publisherId)
    {
        UadpPublisherId.TryParse(publisherId, Enum.Parse<UadpPublisherIdType>(PublisherIdType), out var id);
        return id;
    }

    private static bool IsGroup(Uri? url) => url is { Scheme: "opc.udp" } &&
        IPAddress.TryParse(url.DnsSafeHost, out var address) && DatagramAddress.IsMulticast(address);

    internal void Validate(
        OptionErrors errors, IReadOnlyList<DataSetOptions> dataSets, string publisherId, bool hasKeyServices)
    {
        errors.Demand(
            Enum.IsDefined(typeof(UadpPublisherIdType), PublisherIdType), nameof(PublisherIdType),
            $"'{PublisherIdType}' is none of String, Byte, UInt16, UInt32 and UInt64");
        errors.Demand(
            !Enum.TryParse<UadpPublisherIdType>(PublisherIdType, out var type) || type == UadpPublisherIdType.String ||
            WriterGroups.Count == 0 || UadpPublisherId.TryParse(publisherId, type, out _), nameof(PublisherIdType),
            $"PubSub:PublisherId '{publisherId}' is no number of the type {PublisherIdType}");
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(Name is not ("." or ".."), nameof(Name), $"'{Name}' names no folder of its own");
        errors.Demand(
            Url is not null, nameof(Address), $"'{Address}' is none of mqtt://, mqtts:// and opc.udp:// with a host");
        errors.Demand(
            Url?.UserInfo is null or "", nameof(Address), "holds a user: give User and Password of their own");
        errors.Demand(
            DiscoveryAddress is "" or "none" || ProbeUrl is not null, nameof(DiscoveryAddress),
            $"'{DiscoveryAddress}' is neither none nor opc.udp:// with a host");
        errors.Demand(
            DiscoveryAddress is "" or "none" || !IsMqtt, nameof(DiscoveryAddress),
            "is of datagrams: a broker keeps the metadata");
        errors.Demand(
            NetworkInterface.Length == 0 || HasGroup, nameof(NetworkInterface),
            "is of multicast groups: neither Address nor DiscoveryAddress is one");
        errors.Demand(Qos is 0 or 1, nameof(Qos), $"{Qos} is neither 0 nor 1");
        errors.Demand(
            MqttVersion is "3.1.1" or "5.0", nameof(MqttVersion), $"'{MqttVersion}' is neither 3.1.1 nor 5.0");
        errors.Demand(TopicNames.IsLevel(TopicPrefix), nameof(TopicPrefix), TopicNames.Expected);
        errors.Demand(
            StoreMaxBytes >= MinStoreBytes, nameof(StoreMaxBytes), $"{StoreMaxBytes} is below {MinStoreBytes}");
        ValidateStore(errors);
        ValidateProtection(errors);
        errors.DemandUnique(WriterGroups.Select(static one => one.Name), "WriterGroups", "Name");
        errors.DemandUnique(WriterGroups.Select(static one => one.WriterGroupId), "WriterGroups", "WriterGroupId");
        var writerIds = new HashSet<int>();
        for (var i = 0; i < WriterGroups.Count; i++)
        {
            WriterGroups[i].Validate(
                errors.Below($"WriterGroups:{i}"), dataSets, IsMqtt, hasKeyServices, PublisherIdType);
            WriterGroups[i].ValidateWriterIds(errors.Below($"WriterGroups:{i}"), writerIds);
        }

        errors.DemandUnique(ReaderGroups.Select(static one => one.Name), "ReaderGroups", "Name");
        for (var i = 0; i < ReaderGroups.Count; i++)
            ReaderGroups[i].Validate(errors.Below($"ReaderGroups:{i}"), IsMqtt, hasKeyServices);
    }

    private void ValidateStore(OptionErrors errors)
    {
        errors.Demand(
            StoreOrder is "oldest-first" or "live-first" or "newest-first", nameof(StoreOrder),
            $"'{StoreOrder}' is none of oldest-first, live-first and newest-first");
        errors.Demand(
            StoreOrder == "oldest-first" || WriterGroups.All(static one => one.SecurityMode == "None"),
            nameof(StoreOrder), "subscribers of signed messages refuse older ones: use oldest-first");
        errors.Demand(
            StoreDrainBytesPerSecond >= MinDrainBytes, nameof(StoreDrainBytesPerSecond),
            $"{StoreDrainBytesPerSecond} is below {MinDrainBytes}");
        errors.Demand(
            StoreFsync is "interval" or "each" or "never", nameof(StoreFsync),
            $"'{StoreFsync}' is none of interval, each and never");
    }

    /// <summary>A key of TLS without TLS would look like protection.</summary>
    private void ValidateProtection(OptionErrors errors)
    {
        errors.Demand(
            CertificatePath.Length == 0 == (KeyPath.Length == 0), nameof(CertificatePath),
            "CertificatePath and KeyPath go together");
        var isTls = Url?.Scheme is null or "mqtts";
        errors.Demand(isTls || CaPath.Length == 0, nameof(CaPath), NeedsTls);
        errors.Demand(isTls || CertificatePath.Length == 0, nameof(CertificatePath), NeedsTls);
        errors.Demand(Password.Length == 0 || User.Length > 0, nameof(Password), "there is no User to it");
        errors.Demand(
            Password.Length == 0 || isTls || Url!.IsLoopback || AllowInsecurePassword, nameof(Password),
            "would travel in clear text to another machine: use mqtts://, or set AllowInsecurePassword");
    }
}
