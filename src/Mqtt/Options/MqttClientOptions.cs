using System.Net;
using System.Text;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Options;

/// <summary>One broker, and who this client is to it.</summary>
public sealed record MqttClientOptions
{
    public required string Host { get; init; }

    /// <summary>0: 1883, or 8883 with TLS.</summary>
    public int Port { get; init; }

    public MqttVersion Version { get; init; } = MqttVersion.V5;

    /// <summary>Null: plain TCP. Then a password is refused, unless the broker is on this machine.</summary>
    public MqttTlsOptions? Tls { get; init; }

    /// <summary>Empty: the broker gives one (5.0), or a session of its own for each connection (3.1.1).</summary>
    public string ClientId { get; init; } = "";

    public string? UserName { get; init; }

    /// <summary>Never printed: <see cref="ToString"/> shows that there is one.</summary>
    public string? Password { get; init; }

    /// <summary>A password may go to another machine without TLS, for everyone on the way to read.</summary>
    public bool AllowPlainPassword { get; init; }

    /// <summary>Whole seconds, at least one; zero: none.</summary>
    public TimeSpan KeepAlive { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The first connection begins a new session; later ones continue it. 5.0 only: in 3.1.1 a session is
    /// either kept or not.</summary>
    public bool CleanStart { get; init; }

    /// <summary>How long the broker keeps the session without a connection; whole seconds, at least one; zero: not at
    /// all. In 3.1.1 any such time asks for a session that is kept.</summary>
    public TimeSpan SessionExpiry { get; init; }

    /// <summary>Null: none.</summary>
    public MqttWill? Will { get; init; }

    public MqttLimits Limits { get; init; } = new();

    public int EffectivePort => Port != 0 ? Port : Tls is null ? 1883 : 8883;

    /// <summary>All errors, each with its full key.</summary>
    public IReadOnlyList<string> Validate(string path)
    {
        var errors = new List<string>();
        void Demand(bool holds, string error)
        {
            if (!holds)
                errors.Add($"{path}:{error}");
        }

        Demand(Host.Length > 0, $"{nameof(Host)}: is empty");
        Demand(Port is >= 0 and <= ushort.MaxValue, $"{nameof(Port)}: {Port} is no port");
        Demand(Enum.IsDefined(Version), $"{nameof(Version)}: {Version} is neither V311 nor V5");
        Demand(IsText(ClientId), $"{nameof(ClientId)}: too long, or holds U+0000");
        Demand(IsText(UserName), $"{nameof(UserName)}: too long, or holds U+0000");
        Demand(IsText(Password), $"{nameof(Password)}: too long, or holds U+0000");
        Demand(
            Password is null || UserName is not null || Version == MqttVersion.V5,
            $"{nameof(Password)}: needs a UserName in 3.1.1");
        Demand(
            Password is null || Tls is not null || AllowPlainPassword || IsThisMachine(Host),
            $"{nameof(Password)}: would go to another machine without TLS; set Tls or {nameof(AllowPlainPassword)}");
        Demand(
            IsZeroOrSeconds(KeepAlive, ushort.MaxValue), $"{nameof(KeepAlive)}: {KeepAlive} is out of range");
        Demand(
            IsZeroOrSeconds(SessionExpiry, uint.MaxValue),
            $"{nameof(SessionExpiry)}: {SessionExpiry} is out of range");
        Demand(
            Version == MqttVersion.V5 || SessionExpiry == TimeSpan.Zero || (!CleanStart && ClientId.Length > 0),
            $"{nameof(SessionExpiry)}: 3.1.1 keeps a session only with a ClientId and without CleanStart");
        errors.AddRange(Tls?.Validate($"{path}:{nameof(Tls)}") ?? []);
        errors.AddRange(Will?.Validate($"{path}:{nameof(Will)}") ?? []);
        errors.AddRange(Limits.Validate($"{path}:{nameof(Limits)}"));
        return errors;
    }

    /// <param name="clientId">Ours, or the one that the broker assigned before.</param>
    /// <param name="isFirst">Of this client's connections.</param>
    internal ConnectForm ToConnect(string clientId, bool isFirst) => new()
    {
        Version = Version,
        ClientId = Encoding.UTF8.GetBytes(clientId),
        CleanStart = Version == MqttVersion.V5
            ? SessionExpiry == TimeSpan.Zero || (CleanStart && isFirst)
            : SessionExpiry == TimeSpan.Zero,
        KeepAliveSeconds = (ushort)KeepAlive.TotalSeconds,
        SessionExpirySeconds = (uint)SessionExpiry.TotalSeconds,
        ReceiveMaximum = (ushort)Limits.ReceiveMaximum,
        MaximumPacketSize = (uint)Limits.MaxPacketSizeBytes,
        TopicAliasMaximum = (ushort)Limits.MaxTopicAliases,
        UserName = UserName is null ? null : Encoding.UTF8.GetBytes(UserName),
        Password = Password is null ? null : Encoding.UTF8.GetBytes(Password),
        WillTopic = Will is null ? null : Encoding.UTF8.GetBytes(Will.Topic),
        WillPayload = Will?.Payload.ToArray() ?? [],
        WillProperties = Will?.EncodeProperties() ?? [],
        WillQos = Will?.Qos ?? MqttQos.AtMostOnce,
        WillRetain = Will?.Retain ?? false,
    };

    /// <summary>On the wire it is a whole number, and a part of a second would silently mean none.</summary>
    internal static bool IsZeroOrSeconds(TimeSpan time, double most) =>
        time == TimeSpan.Zero || (time >= TimeSpan.FromSeconds(1) && time.TotalSeconds <= most);

    private static bool IsThisMachine(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>All but the password, for logs.</summary>
    private bool PrintMembers(StringBuilder text)
    {
        text.Append($"{nameof(Host)} = {Host}, {nameof(Port)} = {EffectivePort}, {nameof(Version)} = {Version}, ")
            .Append($"{nameof(Tls)} = {Tls}, {nameof(ClientId)} = {ClientId}, {nameof(UserName)} = {UserName}, ")
            .Append($"{nameof(Password)} = {(Password is null ? "none" : "***")}, {nameof(KeepAlive)} = {KeepAlive}, ")
            .Append($"{nameof(CleanStart)} = {CleanStart}, {nameof(SessionExpiry)} = {SessionExpiry}, ")
            .Append($"{nameof(Will)} = {Will?.Topic}, {nameof(Limits)} = {Limits}");
        return true;
    }

    private static bool IsText(string? text) => text is null || MqttText.IsText(Encoding.UTF8.GetBytes(text));
}
