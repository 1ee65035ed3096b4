using System.Globalization;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;

namespace Gateway.Rest.Management;

/// <summary>One reading of the configuration by a running gateway.</summary>
/// <param name="At">UTC.</param>
/// <param name="By">The cause: the file, the signal, an operator by name.</param>
/// <param name="Verdict">Of the configuration that was read; its changes are those to the one in force before.</param>
public sealed record ConfigurationReload(DateTime At, string By, ConfigurationVerdict Verdict)
{
    /// <summary>False: it was wrong, and all stayed as it was.</summary>
    public bool IsApplied => Verdict.IsGood;

    /// <summary>VersionTimes of the configuration in force before and now. Source: Part 4, VersionTime.</summary>
    public (uint Old, uint New) Versions { get; init; }

    /// <summary>For the audit trail.</summary>
    /// <param name="audit">Gets it.</param>
    /// <param name="caller">Null: the file or a signal.</param>
    public void Tell(OperationAudit audit, Caller? caller) => audit.Reloaded(
        caller, IsApplied ? StatusCode.Good : new StatusCode(StatusCodes.BadConfigurationError),
        string.Create(
            CultureInfo.InvariantCulture,
            $"{(caller is null ? By + ": " : "")}{Verdict.Changes.Count} changes, {Verdict.Errors.Count} errors"),
        Versions.Old, Versions.New);
}
