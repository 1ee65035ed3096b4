using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Users;

/// <summary>Makes an EncryptedSecret as a client does, by the standard, with one thing changed where a test says
/// so. Source: Part 4 §7.40.2.3, §7.40.2.4.</summary>
internal static class SealedSecret
{
    public static byte[] Make(
        SecurityPolicy policy, ApplicationCertificate server, byte[] secret, byte[] nonce,
        string? policyUri = null, byte[]? thumbprint = null, int padding = 0, bool wrongMac = false)
    {
        var keys = new[]
        {
            RandomNumberGenerator.GetBytes(policy.DerivedSignatureKeyLength),
            RandomNumberGenerator.GetBytes(policy.EncryptionKeyLength),
            RandomNumberGenerator.GetBytes(policy.EncryptionBlockSize),
        };
        var keyData = policy.EncryptAsymmetric(server.PrivateKey, Write((ref UaBinaryWriter writer) =>
        {
            foreach (var key in keys)
                writer.WriteByteString(key);
        }));
        var payload = Write((ref UaBinaryWriter writer) =>
        {
            writer.WriteByteString(nonce);
            writer.WriteByteString(secret);
        });
        var count = (policy.EncryptionBlockSize - ((payload.Length + 2) % policy.EncryptionBlockSize)) %
            policy.EncryptionBlockSize;
        var size = new byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(size, (ushort)(count + padding));
        payload = [.. payload, .. Enumerable.Repeat((byte)count, count), .. size];
        using var aes = Aes.Create();
        aes.Key = keys[1];
        var cipher = aes.EncryptCbc(payload, keys[2], PaddingMode.None);
        var header = Write((ref UaBinaryWriter writer) =>
        {
            writer.WriteString(policyUri ?? policy.Uri);
            writer.WriteByteString(thumbprint ?? server.ThumbprintBytes.ToArray());
            writer.WriteDateTime(DateTime.UnixEpoch);
            writer.WriteUInt16((ushort)keyData.Length);
        });
        var rest = header.Length + keyData.Length + cipher.Length + policy.SymmetricSignatureLength;
        var start = Write((ref UaBinaryWriter writer) =>
        {
            writer.WriteNodeId(new NodeId(17545));
            writer.WriteByte(1);
            writer.WriteUInt32((uint)rest);
        });
        byte[] signed = [.. start, .. header, .. keyData, .. cipher];
        var mac = HMACSHA256.HashData(keys[0], signed);
        if (wrongMac)
            mac[0] ^= 1;
        return [.. signed, .. mac];
    }

    private delegate void Fill(ref UaBinaryWriter writer);

    private static byte[] Write(Fill fill)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        fill(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
