using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;

namespace Gateway.Host.Auditing;

/// <summary>Writes records as JSON objects, one a line, without an allocation in steady state. Owner: one thread at a
/// time.</summary>
internal sealed class AuditLines : IDisposable
{
    private const int MaxTextLength = 256;
    private const int MaxDetailLength = 1000;
    private const int MaxAddressLength = 80;

    /// <summary>Names of enumerations are made at each call.</summary>
    private static readonly JsonEncodedText[] Kinds =
        [.. Enum.GetNames<AuditEvent>().Select(static name => JsonEncodedText.Encode(name))];

    private readonly Utf8JsonWriter _json = new(Stream.Null, new JsonWriterOptions { SkipValidation = true });

    /// <summary>With a line feed.</summary>
    public void Write(in AuditRecord record, DateTime now, IBufferWriter<byte> output)
    {
        _json.Reset(output);
        _json.WriteStartObject();
        _json.WriteString("at"u8, now);
        _json.WriteString("kind"u8, Kinds[(int)record.Kind]);
        if (record.Dropped > 0)
            _json.WriteNumber("dropped"u8, record.Dropped);
        else
            _json.WriteString("status"u8, record.Status.ToString());
        WriteText("user"u8, record.User, MaxTextLength);
        WriteText("by"u8, record.Door, MaxTextLength);
        if (record.Remote is IPEndPoint remote)
            WriteAddress(remote);
        else
            WriteText("from"u8, record.Remote?.ToString() ?? record.Address, MaxTextLength);
        if (record.ChannelId != 0)
            _json.WriteNumber("channel"u8, record.ChannelId);
        WriteText("policy"u8, record.Policy, MaxTextLength);
        WriteText("certificate"u8, record.Thumbprint, MaxTextLength);
        if (record.SessionId is { IsNull: false, IdType: IdType.Guid } session)
            _json.WriteString("session"u8, session.Guid);
        WriteText("name"u8, record.SessionName, MaxTextLength);
        WriteText("entry"u8, record.EntryId, MaxTextLength);
        WriteText("detail"u8, record.Detail, MaxDetailLength);
        End(output);
    }

    /// <summary>A line of the trail itself: Started, Stopped, LinesLost, LineTorn, ChainLost.</summary>
    public void WriteOwn(string kind, string? member, long value, DateTime now, IBufferWriter<byte> output)
    {
        _json.Reset(output);
        _json.WriteStartObject();
        _json.WriteString("at"u8, now);
        _json.WriteString("kind"u8, kind);
        if (member is not null)
            _json.WriteNumber(member, value);
        End(output);
    }

    public void Dispose() => _json.Dispose();

    private void End(IBufferWriter<byte> output)
    {
        _json.WriteEndObject();
        _json.Flush();
        output.Write("\n"u8);
    }

    private void WriteText(ReadOnlySpan<byte> name, string? text, int most)
    {
        if (string.IsNullOrEmpty(text))
            return;
        var length = Math.Min(text.Length, most);
        if (length < text.Length && char.IsHighSurrogate(text[length - 1]))
            length--;
        _json.WriteString(name, text.AsSpan(0, length));
    }

    private void WriteAddress(IPEndPoint remote)
    {
        Span<char> text = stackalloc char[MaxAddressLength];
        if (remote.Address.TryFormat(text, out var length) &&
            text[length..].TryWrite(CultureInfo.InvariantCulture, $":{remote.Port}", out var port))
            _json.WriteString("from"u8, text[..(length + port)]);
    }
}
