using System.Globalization;
using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace Gateway.Rest.Values;

/// <summary>Values as a table that a spreadsheet opens: RFC 4180, with a byte order mark, because Excel takes anything
/// else for a code page. Arrays and structures are JSON in one cell. A text that a spreadsheet would take for a formula
/// has an apostrophe in front. Owner: the handler.</summary>
internal sealed class ValuesCsv
{
    private const string Head = "\uFEFFnode,value,type,status,sourceTimestamp,serverTimestamp\r\n";
    private const int PieceCharacters = 32 * 1024;

    private readonly HttpContext _context;
    private readonly JsonFormat _format;
    private readonly StringBuilder _text = new(Head);

    public ValuesCsv(HttpContext context, JsonFormat format)
    {
        (_context, _format) = (context, format);
        context.Response.ContentType = "text/csv; charset=utf-8; header=present";
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        context.Response.Headers.Vary = "Accept";
    }

    /// <summary>By Accept, and not asked for less than JSON.</summary>
    public static bool IsWanted(HttpRequest request)
    {
        if (!MediaTypeHeaderValue.TryParseList(request.Headers.Accept, out var accepted))
            return false;
        var best = accepted
            .Where(static one => one.Quality is not 0)
            .OrderByDescending(static one => one.Quality ?? 1)
            .FirstOrDefault(static one => one.MediaType.Value is "text/csv" or "application/json" or "*/*");
        return best?.MediaType.Value == "text/csv";
    }

    public void Add(in NamedNode node, in DataValue value)
    {
        Cell(node.Id.IsNull ? node.Text : IdText(node.Id), isText: true);
        _text.Append(',');
        if (!value.Value.IsNull)
            Cell(ValueText(value.Value), value.Value is { Type: BuiltInType.String, IsScalar: true });
        _text.Append(',').Append(value.Value.IsNull ? "" : value.Value.Type.ToString());
        _text.Append(',').Append(value.Status.Code == 0 ? "Good" : value.Status.ToString());
        Time(value.SourceTimestamp);
        Time(value.ServerTimestamp);
        _text.Append("\r\n");
    }

    public ValueTask SendPieceAsync() => _text.Length < PieceCharacters ? default : SendAsync();

    public ValueTask EndAsync() => SendAsync();

    private async ValueTask SendAsync()
    {
        var piece = Encoding.UTF8.GetBytes(_text.ToString());
        _text.Clear();
        await _context.Response.Body.WriteAsync(piece, _context.RequestAborted).ConfigureAwait(false);
    }

    private void Time(DateTime time)
    {
        _text.Append(',');
        if (time != default)
            _text.Append(time.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture));
    }

    private string IdText(NodeId id)
    {
        var writer = UaJsonWriter.Rent(_format);
        writer.WriteNodeId(id);
        return Take(writer);
    }

    private string ValueText(in Variant value)
    {
        var writer = UaJsonWriter.Rent(_format);
        writer.WriteBareVariant(value);
        return Take(writer);
    }

    /// <summary>The text of a JSON string stands as it is, everything else as JSON.</summary>
    private static string Take(UaJsonWriter writer)
    {
        var reader = new System.Text.Json.Utf8JsonReader(writer.WrittenSpan);
        reader.Read();
        var text = reader.TokenType == System.Text.Json.JsonTokenType.String
            ? reader.GetString()!
            : Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Return();
        return text;
    }

    private void Cell(string text, bool isText)
    {
        if (isText && text.Length > 0 && text[0] is '=' or '+' or '-' or '@' or '\t' or '\r')
            text = "'" + text;
        if (text.AsSpan().IndexOfAny(",\"\r\n") < 0)
        {
            _text.Append(text);
            return;
        }

        _text.Append('"').Append(text.Replace("\"", "\"\"", StringComparison.Ordinal)).Append('"');
    }
}
