using System.Security.Cryptography;
using Gateway.Codec.Types;

namespace Gateway.Server.Sessions;

/// <summary>The AuthenticationToken of a session: a Guid of 16 random bytes where the channel proves the client, else a
/// ByteString of 32, because nothing but the token says whose request it is. Comparing one makes no garbage. Source:
/// Part 4 §7.36.</summary>
/// <param name="First">The first half, or all of it.</param>
/// <param name="Second">Empty for a Guid.</param>
internal readonly record struct SessionToken(Guid First, Guid Second)
{
    public const int LongBytes = 32;

    private const int HalfBytes = LongBytes / 2;

    /// <param name="isLong">Of 32 bytes.</param>
    public static SessionToken New(bool isLong)
    {
        Span<byte> bytes = stackalloc byte[LongBytes];
        RandomNumberGenerator.Fill(bytes);
        return new SessionToken(new Guid(bytes[..HalfBytes]), isLong ? new Guid(bytes[HalfBytes..]) : Guid.Empty);
    }

    /// <summary>Of nobody where it has another form.</summary>
    public static SessionToken Of(NodeId token) => token switch
    {
        { IdType: IdType.Guid, NamespaceIndex: 0 } => new SessionToken(token.Guid, Guid.Empty),
        { IdType: IdType.Opaque, NamespaceIndex: 0, Opaque: { } bytes } => Of(bytes),
        _ => default,
    };

    /// <summary>Of nobody where it has another length.</summary>
    public static SessionToken Of(ReadOnlySpan<byte> bytes) => bytes.Length == LongBytes
        ? new SessionToken(new Guid(bytes[..HalfBytes]), new Guid(bytes[HalfBytes..]))
        : default;

    public NodeId ToNodeId() => Second == Guid.Empty
        ? new NodeId(First, 0)
        : new NodeId((byte[])[.. First.ToByteArray(), .. Second.ToByteArray()], 0);

    /// <summary>No secret stands in a log.</summary>
    public override string ToString() => nameof(SessionToken);
}
