namespace Gateway.Rest.Management;

/// <summary>One reading of the configuration by a running gateway.</summary>
/// <param name="At">UTC.</param>
/// <param name="By">The cause: the file, the signal, an operator by name.</param>
/// <param name="Verdict">Of the configuration that was read; its changes are those to the one in force before.</param>
public sealed record ConfigurationReload(DateTime At, string By, ConfigurationVerdict Verdict)
{
    /// <summary>False: it was wrong, and all stayed as it was.</summary>
    public bool IsApplied => Verdict.IsGood;
}
