namespace Gateway.Admission;

/// <summary>The settings <c>Admission:*</c>.</summary>
public sealed record AdmissionOptions
{
    /// <summary>Default true; false: only the hard limits apply.</summary>
    public bool Enabled { get; init; } = true;
}
