using System.Text;
using Gateway.Codec.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>RHE: ServerUri, EndpointUrl (String each, at most 4,096 bytes). A server that cannot be connected to says
/// it on a connection that it has opened; HEL follows from the client. Source: Part 6 §7.1.2.6.</summary>
internal readonly record struct ReverseHelloMessage(string? ServerUri, string? EndpointUrl)
{
    public const int MaxTextBytes = 4_096;

    /// <summary>Of the whole message.</summary>
    public const int MaxSizeBytes = MessageLayout.MessageHeaderSize + (2 * (sizeof(int) + MaxTextBytes));

    /// <summary>One that is larger than both texts may make it, and is not read.</summary>
    public static ReverseHelloMessage TooLong { get; } = new(new string(' ', MaxTextBytes + 1), null);

    /// <summary>A text is longer than it may be: the peer gets Bad_TcpEndpointUrlInvalid.</summary>
    public bool IsTooLong => IsLong(ServerUri) || IsLong(EndpointUrl);

    /// <summary>Behind the 8-byte header. Errors: the reader's.</summary>
    public static ReverseHelloMessage Read(ref UaBinaryReader reader) =>
        new(reader.ReadString(), reader.ReadString());

    public void Write(ref UaBinaryWriter writer)
    {
        writer.WriteString(ServerUri);
        writer.WriteString(EndpointUrl);
    }

    private static bool IsLong(string? text) => text is not null && Encoding.UTF8.GetByteCount(text) > MaxTextBytes;
}
