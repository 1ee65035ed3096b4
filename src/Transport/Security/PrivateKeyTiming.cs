using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>How long this machine takes for one private-key operation.</summary>
public static class PrivateKeyTiming
{
    private const int Tries = 4;

    /// <summary>The best of a few: the first one compiles, and another process may have taken the processor.</summary>
    public static TimeSpan Of(RSA key, TimeProvider time)
    {
        var data = new byte[32];
        var best = TimeSpan.MaxValue;
        for (var i = 0; i < Tries; i++)
        {
            var start = time.GetTimestamp();
            key.SignData(data, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            var taken = time.GetElapsedTime(start);
            if (taken < best)
                best = taken;
        }

        return best;
    }
}
