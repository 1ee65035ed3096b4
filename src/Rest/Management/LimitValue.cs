namespace Gateway.Rest.Management;

/// <summary>One limit: a number, or a time.</summary>
public sealed record LimitValue
{
    /// <summary>The key below <c>Limits:</c>.</summary>
    public required string Name { get; init; }

    /// <summary>As given, or the default.</summary>
    public required object Configured { get; init; }

    /// <summary>Less than configured where something else allows no more.</summary>
    public required object InForce { get; init; }

    public required object Default { get; init; }

    /// <summary>As for <see cref="ConfigurationValue.Origin"/>.</summary>
    public required string Origin { get; init; }

    /// <summary>The part that enforces it: transport, http, rest, server, publish, admission, upstream, log.</summary>
    public required string Part { get; init; }

    public required string Bounds { get; init; }

    /// <summary>The effect at the limit, and the counter that tells.</summary>
    public required string WhenItActs { get; init; }

    /// <summary>When to lower or raise it.</summary>
    public required string Remedy { get; init; }

    /// <summary>Now; null where nothing is held: a rate, a deadline, a size of one message.</summary>
    public required long? Use { get; init; }
}
