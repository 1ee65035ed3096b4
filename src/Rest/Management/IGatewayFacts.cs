namespace Gateway.Rest.Management;

/// <summary>The knowledge of the host about the gateway as a whole. Threads: any.</summary>
public interface IGatewayFacts
{
    GatewayInfo Info { get; }

    /// <summary>It runs with <c>--demo</c>.</summary>
    bool IsDemo { get; }

    /// <summary>Every value in force, by key; lists as far as they have elements.</summary>
    IReadOnlyList<ConfigurationValue> Configuration { get; }

    /// <summary>With their use at this moment; walks sessions.</summary>
    IReadOnlyList<LimitValue> ReadLimits();
}
