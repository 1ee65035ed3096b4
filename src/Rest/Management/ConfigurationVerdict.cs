namespace Gateway.Rest.Management;

/// <summary>The effect that a configuration would have, or has had, on the running gateway.</summary>
public sealed record ConfigurationVerdict
{
    /// <summary>All of them; empty: the gateway would start with it.</summary>
    public required IReadOnlyList<ConfigurationFault> Errors { get; init; }

    /// <summary>Settings without effect.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>From what is in force now; empty where there are errors.</summary>
    public IReadOnlyList<ConfigurationChange> Changes { get; init; } = [];

    /// <summary>Sections of a right configuration that a fault of the gateway kept it from taking over.</summary>
    public IReadOnlyList<ConfigurationFault> Faults { get; init; } = [];

    public bool IsGood => Errors.Count == 0;
}
