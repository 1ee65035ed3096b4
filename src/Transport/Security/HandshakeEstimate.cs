using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>How many handshakes a second this machine will serve, before any was: by a key's own speed.</summary>
public static class HandshakeEstimate
{
    /// <summary>Two blocks to decrypt, an OPN and a CreateSession response to sign.</summary>
    private const int PrivateKeyOperations = 4;

    /// <summary>All else that a handshake costs, docs/performance.md.</summary>
    private const double Overhead = 1.4;
    private const int Tries = 4;

    /// <summary>Takes a few milliseconds.</summary>
    public static double PerSecond(RSA key, int workers, TimeProvider time)
    {
        var data = new byte[32];
        var best = TimeSpan.MaxValue;
        // The best of a few: the first one compiles, and another process may have taken the processor.
        for (var i = 0; i < Tries; i++)
        {
            var start = time.GetTimestamp();
            key.SignData(data, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            var taken = time.GetElapsedTime(start);
            if (taken < best)
                best = taken;
        }

        var seconds = Math.Max(1e-5, best.TotalSeconds) * PrivateKeyOperations * Overhead;
        return Math.Clamp(workers, 1, Environment.ProcessorCount) / seconds;
    }
}
