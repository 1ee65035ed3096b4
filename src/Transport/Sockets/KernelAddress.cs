using System.Buffers.Binary;
using System.Net;

namespace Gateway.Transport.Sockets;

/// <summary>
/// Addresses as the kernel writes them. One that is IPv4 inside IPv6 is IPv4: it is the same client whichever way it
/// came. Source: ip(7), ipv6(7).
/// <code>
///  sockaddr_in     0  family 2 (2)    2  port (2, big-endian)   4  address (4)
///  sockaddr_in6    0  family 10 (2)   2  port (2, big-endian)   4  flow (4)   8  address (16)   24  scope (4)
/// </code>
/// </summary>
internal static unsafe class KernelAddress
{
    public const int MaxBytes = 28;

    private const ushort InterNetwork = 2;
    private const ushort InterNetworkV6 = 10;

    /// <summary><see cref="IPAddress.None"/> for another family.</summary>
    public static IPAddress Read(ReadOnlySpan<byte> bytes, out int port)
    {
        port = 0;
        if (bytes.Length < 8)
            return IPAddress.None;
        var family = BitConverter.ToUInt16(bytes);
        port = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        if (family == InterNetwork)
            return new IPAddress(bytes.Slice(4, 4));
        if (family != InterNetworkV6 || bytes.Length < MaxBytes)
            return IPAddress.None;
        var address = bytes.Slice(8, 16);
        if (address[..10].ContainsAnyExcept((byte)0) || address[10] != 0xFF || address[11] != 0xFF)
            return new IPAddress(address, BitConverter.ToUInt32(bytes[24..]));
        return new IPAddress(address[12..]);
    }

    /// <summary>Null where the kernel does not say.</summary>
    public static IPEndPoint? LocalOf(int descriptor)
    {
        var bytes = stackalloc byte[MaxBytes];
        var length = MaxBytes;
        if (Libc.LocalName(descriptor, bytes, &length) < 0)
            return null;
        var address = Read(new ReadOnlySpan<byte>(bytes, Math.Min(length, MaxBytes)), out var port);
        return new IPEndPoint(address, port);
    }
}
