using System.Security.Cryptography;
using System.Text;

namespace Gateway.Testing;

/// <summary>A private key that many gateways share. Making one costs more than the rest of a start; where there is only
/// a key of the gateway's own, the start makes a certificate for it.</summary>
internal static class GivenKey
{
    private const string Name = "OPC_UA_Gateway[0000000000000000000000000000000000000000].pem";

    private static readonly Lazy<byte[]> Pem = new(static () =>
    {
        using var key = RSA.Create(2048);
        return Encoding.ASCII.GetBytes(key.ExportPkcs8PrivateKeyPem());
    });

    /// <summary>Where there is no key yet.</summary>
    /// <param name="pki">The folder of a gateway that has not started yet.</param>
    /// <param name="name">Of the key's file; the gateway's when nothing is said.</param>
    public static void PutInto(string pki, string name = Name)
    {
        var folder = Directory.CreateDirectory(Path.Combine(pki, "own", "private"));
        if (folder.EnumerateFiles().Any())
            return;
        var file = Path.Combine(folder.FullName, name);
        File.WriteAllBytes(file, Pem.Value);
        // Else the gateway would do it, and say so.
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }
}
