using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;

namespace Gateway.Server.Dispatch;

/// <summary>
/// The part of a RequestHeader that the server uses, read without an allocation. AuditEntryId stays where
/// it is; the AdditionalHeader is for <see cref="Transport.Tracing.TraceContextHeader"/>. ReturnDiagnostics is for
/// the sources of a Call: the gateway has no diagnostics of its own, as Part 4 §7.12 allows. Source: Part 4 §7.32.
/// </summary>
internal readonly struct RequestHead
{
    private const byte GuidNodeId = 4;
    private const byte OpaqueNodeId = 5;

    private const int MaxEntryIdBytes = 256;

    private readonly (int Start, int Length) _entryId;

    private RequestHead(SessionToken token, bool hasToken, uint handle, uint timeoutHint, (int, int) entryId)
    {
        _entryId = entryId;
        Token = token;
        HasToken = hasToken;
        Handle = handle;
        TimeoutHint = timeoutHint;
    }

    /// <summary>The authentication token; empty when the request has none or one of another form.</summary>
    public SessionToken Token { get; }

    public uint Handle { get; }

    /// <summary>True for a token of any form; false: the call belongs to no session.</summary>
    public bool HasToken { get; }

    /// <summary>In ms; 0 means none.</summary>
    public uint TimeoutHint { get; }

    /// <summary>AuditEntryId, as far as anybody shows it; null where there is none.</summary>
    /// <param name="message">That the header was read from.</param>
    public string? EntryIdIn(ReadOnlySpan<byte> message) =>
        _entryId.Length == 0
            ? null
            : Encoding.UTF8.GetString(message.Slice(_entryId.Start, Math.Min(_entryId.Length, MaxEntryIdBytes)));

    /// <summary>The header that the publish engine keeps for a held request.</summary>
    public RequestHeader ToHeader() => new() { RequestHandle = Handle, TimeoutHint = TimeoutHint };

    /// <param name="reader">At the header.</param>
    /// <param name="additionalType">The encoding of the AdditionalHeader.</param>
    /// <param name="additional">Its bytes, as long as the message is valid; empty where there is none.</param>
    public static RequestHead Read(
        ref UaBinaryReader reader, out NodeId additionalType, out ReadOnlySpan<byte> additional)
    {
        var token = ReadToken(ref reader, out var hasToken);
        reader.Skip(sizeof(long));
        var handle = reader.ReadUInt32();
        reader.Skip(sizeof(uint));
        var entryId = reader.ReadStringBytes().Length;
        var entryEnd = reader.Position;
        var timeoutHint = reader.ReadUInt32();
        additional = AdditionalHeader(ref reader, out additionalType);
        return new RequestHead(token, hasToken, handle, timeoutHint, (entryEnd - entryId, entryId));
    }

    private static SessionToken ReadToken(ref UaBinaryReader reader, out bool hasToken)
    {
        hasToken = true;
        var probe = reader;
        var form = probe.ReadByte();
        if (form is not (GuidNodeId or OpaqueNodeId))
        {
            hasToken = !reader.ReadNodeId().IsNull;
            return default;
        }

        var isOurs = probe.ReadUInt16() == 0;
        var token = form == GuidNodeId
            ? new SessionToken(probe.ReadGuid(), Guid.Empty)
            : SessionToken.Of(probe.ReadByteStringSpan());
        if (form == OpaqueNodeId && token == default)
            hasToken = !reader.ReadNodeId().IsNull;
        else
            reader = probe;
        return isOurs ? token : default;
    }

    /// <summary>XML is skipped.</summary>
    private static ReadOnlySpan<byte> AdditionalHeader(ref UaBinaryReader reader, out NodeId typeId)
    {
        typeId = reader.ReadNodeId();
        switch (reader.ReadByte())
        {
            case 0:
                return default;
            case 1:
                return reader.ReadByteStringSpan();
            case 2:
                reader.ReadByteStringSpan();
                return default;
            default:
                reader.Fail(StatusCodes.BadDecodingError);
                return default;
        }
    }
}
