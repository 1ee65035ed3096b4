using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>Where and when the figures were made, and how fast the machine was at that moment.</summary>
internal static class MachineText
{
    public static string Now() => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        Measured {TimeProvider.System.GetUtcNow():yyyy-MM-dd HH:mm} UTC on {Environment.ProcessorCount} cores of
        {Processor()}, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription},
        load average {Load()} at the start, {SignaturesASecond():N0} RSA-2048 signatures a second and core at that
        moment, commit `{Commit()}`.
        """);

    private static string Processor() =>
        Lines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
            ?.Split(':')[1].Trim() ?? "an unnamed processor";

    private static string Load() => Lines("/proc/loadavg").FirstOrDefault()?.Split(' ')[0] ?? "unknown";

    private static IEnumerable<string> Lines(string file) => File.Exists(file) ? File.ReadLines(file) : [];

    private static double SignaturesASecond()
    {
        using var key = RSA.Create(2048);
        var hash = new byte[32];
        var signature = new byte[256];
        var (start, count) = (Stopwatch.GetTimestamp(), 0);
        for (; Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(1); count++)
            key.TrySignHash(hash, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1, out _);
        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static string Commit()
    {
        using var git = Process.Start(new ProcessStartInfo("git", "describe --always --dirty")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        return git.StandardOutput.ReadToEnd().Trim() is { Length: > 0 } commit ? commit : "unknown";
    }
}
