namespace Gateway.Sources.Modbus.Options;

/// <summary>One Modbus TCP device as the user configured it (<c>Upstreams:N:*</c> with <c>Driver: modbus</c>).
/// </summary>
public sealed class ModbusOptions
{
    public const string Scheme = "modbus";

    /// <summary>That of the registry.</summary>
    public const int DefaultPort = 502;

    /// <summary>Of one request. Source: Modbus §6.3.</summary>
    public const int MaxRegisters = 125;

    /// <summary>Unique among the upstreams, of all drivers.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>modbus://host[:port]</c>.</summary>
    public string EndpointUrl { get; init; } = string.Empty;

    /// <summary>The shortest sampling interval that a client gets: the device is asked for a register at most so often.
    /// Default: what most devices bear with ease.</summary>
    public double PollIntervalMs { get; init; } = 1_000;

    /// <summary>How long one whole answer may take.</summary>
    public double RequestTimeoutMs { get; init; } = 2_000;

    /// <summary>Of one read request; sixteen times as many bits. Default: the standard's most.</summary>
    public int MaxRegistersPerRead { get; init; } = MaxRegisters;

    /// <summary>Unused registers between two tags that are read along, to save a request; sixteen times as many bits.
    /// Default: a request costs about as much as so many registers.</summary>
    public int MaxGap { get; init; } = 8;

    public IReadOnlyList<ModbusTag> Tags { get; init; } = [];

    internal string Host => Uri.TryCreate(EndpointUrl, UriKind.Absolute, out var url) ? url.IdnHost : string.Empty;

    internal int Port =>
        Uri.TryCreate(EndpointUrl, UriKind.Absolute, out var url) && url.Port > 0 ? url.Port : DefaultPort;

    /// <summary>True where nothing would be different with the other.</summary>
    internal bool IsSame(ModbusOptions other) =>
        (Name, EndpointUrl, PollIntervalMs, RequestTimeoutMs, MaxRegistersPerRead, MaxGap) ==
        (other.Name, other.EndpointUrl, other.PollIntervalMs, other.RequestTimeoutMs, other.MaxRegistersPerRead,
            other.MaxGap) &&
        Tags.SequenceEqual(other.Tags);

    /// <summary>All that is wrong, each with the key below <paramref name="section"/> (<c>Upstreams:0</c>).</summary>
    public IEnumerable<string> Validate(string section)
    {
        if (string.IsNullOrWhiteSpace(Name))
            yield return $"{section}:Name: is missing";
        else if (Name.Contains('/', StringComparison.Ordinal))
            yield return $"{section}:Name: '{Name}' has a slash, which ends the name in the NodeIds of its tags";
        if (EndpointUrl.Length == 0)
            yield return $"{section}:EndpointUrl: is missing";
        else if (!IsAddress(EndpointUrl))
            yield return $"{section}:EndpointUrl: '{EndpointUrl}' is no address of the form modbus://host:502";
        if (PollIntervalMs is not (>= 10 and <= 3_600_000))
            yield return $"{section}:PollIntervalMs: {PollIntervalMs} is not between 10 and 3600000";
        if (RequestTimeoutMs is not (>= 10 and <= 60_000))
            yield return $"{section}:RequestTimeoutMs: {RequestTimeoutMs} is not between 10 and 60000";
        if (Tags.Count == 0)
            yield return $"{section}:Tags: is missing: a device without tags has nothing to read";
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (var i = 0; i < Tags.Count; i++)
        {
            foreach (var error in Tags[i].Validate($"{section}:Tags:{i}", MaxRegistersPerRead))
                yield return error;
            if (!names.Add(Tags[i].Name))
                yield return $"{section}:Tags:{i}:Name: '{Tags[i].Name}' is there twice";
        }
    }

    private static bool IsAddress(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var url) && url.Scheme == Scheme && url.Host.Length > 0 &&
        url.AbsolutePath is ("" or "/") && url.UserInfo.Length == 0 && url.Query.Length == 0;
}
