using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>The few entry points of OpenSSL 3's libcrypto (which .NET has loaded anyway) that keep a keyed context: the
/// base class library makes a native context at every call. Errors: OpenSSL's, 1 is success.</summary>
internal static unsafe partial class Libcrypto
{
    private const string Library = "libcrypto.so.3";

    /// <summary>False: another platform or an OpenSSL without these; the base class library serves.</summary>
    public static bool IsAvailable { get; } = Probe();

    /// <summary>Fetched once and never freed: fetching takes a global lock.</summary>
    public static nint Hmac { get; private set; }

    public static nint Aes128Cbc { get; private set; }

    public static nint Aes256Cbc { get; private set; }

    [LibraryImport(Library)]
    public static partial nint EVP_CIPHER_CTX_new();

    [LibraryImport(Library)]
    public static partial void EVP_CIPHER_CTX_free(nint context);

    [LibraryImport(Library)]
    public static partial int EVP_CIPHER_CTX_set_padding(nint context, int padding);

    [LibraryImport(Library)]
    public static partial int EVP_CipherInit_ex(
        nint context, nint cipher, nint engine, byte* key, byte* vector, int encrypt);

    [LibraryImport(Library)]
    public static partial int EVP_CipherUpdate(
        nint context, byte* output, int* outputLength, byte* input, int inputLength);

    [LibraryImport(Library)]
    public static partial nint EVP_MAC_CTX_new(nint mac);

    [LibraryImport(Library)]
    public static partial void EVP_MAC_CTX_free(nint context);

    [LibraryImport(Library)]
    public static partial int EVP_MAC_init(nint context, byte* key, nuint keyLength, Parameter* parameters);

    [LibraryImport(Library)]
    public static partial int EVP_MAC_update(nint context, byte* data, nuint dataLength);

    [LibraryImport(Library)]
    public static partial int EVP_MAC_final(nint context, byte* output, nuint* outputLength, nuint outputSize);

    [LibraryImport(Library, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint EVP_MAC_fetch(nint libraryContext, string algorithm, string? properties);

    [LibraryImport(Library, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint EVP_CIPHER_fetch(nint libraryContext, string algorithm, string? properties);

    /// <summary>OpenSSL answers null where it has no memory. Errors: CryptographicException, which ends one connection
    /// (R40).</summary>
    public static nint NotNull(nint made)
    {
        if (made == 0)
            Fail();
        return made;
    }

    [DoesNotReturn]
    public static void Fail() => throw new CryptographicException("libcrypto refused a keyed context.");

    private static bool Probe()
    {
        // Asking the BCL for a hash first makes sure that .NET itself has initialised OpenSSL.
        _ = SHA256.HashData([]);
        if (!OperatingSystem.IsLinux() || !NativeLibrary.TryLoad(Library, out var library) ||
            !NativeLibrary.TryGetExport(library, "EVP_MAC_fetch", out _))
            return false;
        Hmac = EVP_MAC_fetch(0, "HMAC", null);
        Aes128Cbc = EVP_CIPHER_fetch(0, "AES-128-CBC", null);
        Aes256Cbc = EVP_CIPHER_fetch(0, "AES-256-CBC", null);
        return Hmac != 0 && Aes128Cbc != 0 && Aes256Cbc != 0;
    }

    /// <summary>OSSL_PARAM of &lt;openssl/core.h&gt;.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Parameter
    {
        public const uint Utf8String = 4;

        public byte* Key;
        public uint DataType;
        public void* Data;
        public nuint DataSize;
        public nuint ReturnSize;
    }
}
