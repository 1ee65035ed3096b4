namespace Gateway.Admission;

/// <summary>What <c>Admission:*</c> configures.</summary>
public sealed record AdmissionOptions
{
    /// <summary>Default true; false: only the hard limits apply.</summary>
    public bool Enabled { get; init; } = true;
}
