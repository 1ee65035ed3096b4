using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;

namespace Gateway.Server.Sessions;

/// <summary>
/// A session as it lies on disk beside its durable subscriptions. Nobody can use it with what stands there: of the
/// AuthenticationToken it has the hash alone, and the nonce is for a client that signs. The subscriptions
/// know its user and its certificate themselves.
/// <code>
/// version | hash of the token | nonce | policy | mode | name | client | largest response | locales
/// </code>
/// </summary>
internal sealed record SessionMemo
{
    private const byte Version = 1;

    private byte[] TokenHash { get; init; } = [];

    public required byte[] ServerNonce { get; init; }

    public required string PolicyUri { get; init; }

    public required MessageSecurityMode Mode { get; init; }

    public required string Name { get; init; }

    public required ClientFacts Client { get; init; }

    public required uint MaxResponseMessageSize { get; init; }

    public required string[] LocaleIds { get; init; }

    public static byte[] Of(Session session)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        var (client, connection) = (session.Client, session.Channel.Connection);
        writer.WriteByte(Version);
        writer.WriteByteString(HashOf(session.Token));
        writer.WriteByteString(session.ServerNonce);
        writer.WriteString(connection.Policy.Uri);
        writer.WriteInt32((int)connection.SecurityMode);
        writer.WriteString(session.Name);
        writer.WriteString(client.ApplicationUri);
        writer.WriteString(client.ProductUri);
        writer.WriteLocalizedText(client.ApplicationName);
        writer.WriteInt32((int)client.ApplicationType);
        writer.WriteString(client.ServerUri);
        writer.WriteString(client.EndpointUrl);
        writer.WriteUInt32(session.MaxResponseMessageSize);
        writer.WriteInt32(session.LocaleIds.Length);
        foreach (var locale in session.LocaleIds)
            writer.WriteString(locale);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Null: another version, or damaged.</summary>
    public static SessionMemo? Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new UaBinaryReader(bytes);
        if (reader.ReadByte() != Version)
            return null;
        var memo = new SessionMemo
        {
            TokenHash = reader.ReadByteString() ?? [],
            ServerNonce = reader.ReadByteString() ?? [],
            PolicyUri = reader.ReadString() ?? string.Empty,
            Mode = (MessageSecurityMode)reader.ReadInt32(),
            Name = reader.ReadString() ?? string.Empty,
            Client = new ClientFacts(
                reader.ReadString() ?? string.Empty, reader.ReadString(), reader.ReadLocalizedText(),
                (ApplicationType)reader.ReadInt32(), reader.ReadString(), reader.ReadString()),
            MaxResponseMessageSize = reader.ReadUInt32(),
            LocaleIds = new string[Math.Max(0, reader.ReadArrayLength(sizeof(int)))],
        };
        for (var i = 0; i < memo.LocaleIds.Length; i++)
            memo.LocaleIds[i] = reader.ReadString() ?? string.Empty;
        return reader.Failed || memo.TokenHash.Length != SHA256.HashSizeInBytes ? null : memo;
    }

    /// <summary>In a time that says nothing about the hash.</summary>
    public bool IsOf(SessionToken token) => CryptographicOperations.FixedTimeEquals(HashOf(token), TokenHash);

    public bool Fits(Transport.Conversation.SecureChannel channel) =>
        channel.Policy.Uri == PolicyUri && channel.SecurityMode == Mode;

    private static byte[] HashOf(SessionToken token)
    {
        Span<byte> bytes = stackalloc byte[SessionToken.LongBytes];
        token.First.TryWriteBytes(bytes);
        token.Second.TryWriteBytes(bytes[(SessionToken.LongBytes / 2)..]);
        return SHA256.HashData(bytes);
    }
}
