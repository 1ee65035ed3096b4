using BenchmarkDotNet.Attributes;
using Gateway.Microbenchmarks.Tables;
using Gateway.Transport;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Transport;

/// <summary>Sealing and unsealing one chunk, by OpenSSL's kept contexts and by the base class library.</summary>
[MemoryDiagnoser]
[Table(40, "Seal and unseal a chunk", "*libcrypto*: OpenSSL contexts that keep their key, our way where the library " +
    "is found; *BCL*: the base class library's one-shot calls, the fallback. A test holds both equal byte for byte.")]
public class ChunkProtectionBenchmarks : IDisposable
{
    private readonly byte[] _chunk = new byte[9000];
    private byte[] _sealed = [];
    private byte[] _opened = [];
    private ChunkProtection _seal = new NoProtection();
    private ChunkProtection _open = new NoProtection();

    [Params("None", "Basic256Sha256/Sign", "Basic256Sha256/SignAndEncrypt", "Aes128_Sha256_RsaOaep/SignAndEncrypt",
        "Aes256_Sha256_RsaPss/SignAndEncrypt")]
    public string Policy { get; set; } = "None";

    [Params(192, 8000)]
    public int BodyBytes { get; set; }

    [Params("libcrypto", "BCL")]
    public string By { get; set; } = "libcrypto";

    [GlobalSetup]
    public void Setup()
    {
        var parts = Policy.Split('/');
        SecurityPolicies.TryGetByName(parts[0], out var policy);
        if (!policy!.IsNone)
        {
            var encrypted = parts[1] == "SignAndEncrypt";
            using var keys = KeyDerivation.DeriveSenderKeys(policy, new byte[32], new byte[32]);
            _seal = new CbcHmacProtection(Primitives(keys, encrypted ? true : null), encrypted);
            _open = new CbcHmacProtection(Primitives(keys, encrypted ? false : null), encrypted);
        }

        FrameWriter.WriteHeader(_chunk, MessageKind.Message, ChunkType.Final, 0);
        var copy = _chunk.ToArray();
        _sealed = copy[.._seal.Seal(copy, MessageLayout.Headroom + BodyBytes)];
        _opened = new byte[_sealed.Length];
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _seal.Dispose();
        _open.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public int Seal() => _seal.Seal(_chunk, MessageLayout.Headroom + BodyBytes);

    /// <summary>With the copy out of the pipe that precedes it on the way in.</summary>
    [Benchmark]
    public bool Unseal()
    {
        _sealed.CopyTo(_opened, 0);
        return _open.TryUnseal(_opened, out _);
    }

    private SymmetricPrimitives Primitives(DerivedKeys keys, bool? encrypt) =>
        By == "BCL" ? new BclPrimitives(keys, encrypt) : SymmetricPrimitives.Create(keys, encrypt);
}
