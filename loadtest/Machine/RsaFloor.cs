using System.Diagnostics;
using System.Security.Cryptography;

namespace Gateway.Loadtest.Machine;

/// <summary>The machine's own speed of RSA-2048 signatures on one core, now: what a session can cost at least.
///</summary>
internal static class RsaFloor
{
    /// <summary>Private-key operations that one secured session costs its server: OPN decrypted (two blocks) and
    /// signed, CreateSession signed. An anonymous or certificate user adds none.</summary>
    public const int OperationsPerSession = 4;

    /// <returns>Signatures a second of CPU time of this thread's core.</returns>
    public static double Measure()
    {
        using var rsa = RSA.Create(2048);
        var hash = new byte[32];
        var signature = new byte[256];
        rsa.SignHash(hash, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var probe = new ProcessProbe(Environment.ProcessId);
        var cpu = probe.CpuSeconds();
        var watch = Stopwatch.StartNew();
        var count = 0;
        for (; watch.Elapsed < TimeSpan.FromSeconds(1); count++)
            rsa.SignHash(hash, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return count / (probe.CpuSeconds() - cpu);
    }
}
