using System.Globalization;
using Gateway.Host.Auditing;
using Gateway.Host.Configuration;

namespace Gateway.Host.Hosting;

/// <summary><c>audit verify [FOLDER]</c>: says what is broken in audit files. Exit codes: 0 nothing is, 1 something is,
/// 2 the command itself is wrong or the folder cannot be read.</summary>
internal static class AuditVerb
{
    public const string Name = "audit";

    private const int Broken = 1;
    private const int Misused = 2;
    private const int MaxFaultsShown = 100;

    private const string Usage = """
        audit verify [FOLDER]    says which lines of the audit files are missing, changed or added; without a
                                 folder that of Audit:Path
        """;

    public static int Run(ReadOnlySpan<string> arguments, TextWriter output, TextWriter errors)
    {
        try
        {
            switch (arguments)
            {
                case ["verify"]:
                    return Verify(ConfiguredFolder(), output);
                case ["verify", var folder]:
                    return Verify(folder, output);
                default:
                    errors.Write(Usage + "\n");
                    return Misused;
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            errors.Write(error.Message + "\n");
            return Misused;
        }
    }

    private static string ConfiguredFolder() =>
        new GatewayOptions(new ConfigurationSource([]).Read()).Audit is { IsOn: true } options
            ? options.Path
            : throw new InvalidDataException("Audit:Enabled is false: name the folder");

    private static int Verify(string folder, TextWriter output)
    {
        using var files = new AuditFolder(folder);
        var check = AuditCheck.Run(files);
        foreach (var fault in check.Faults.Take(MaxFaultsShown))
            output.Write(fault + "\n");
        if (check.Faults.Count > MaxFaultsShown)
            output.Write(string.Create(
                CultureInfo.InvariantCulture, $"and {check.Faults.Count - MaxFaultsShown} more\n"));
        if (check.IsLastTorn)
            output.Write("the last line is not finished: the gateway is writing it, or was killed\n");
        output.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{check.Lines} lines, n {check.First} to {check.Last}, {check.Faults.Count} faults\n"));
        return check.Faults.Count == 0 ? 0 : Broken;
    }
}
