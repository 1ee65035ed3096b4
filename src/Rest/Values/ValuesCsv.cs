using System.Globalization;
using System.Text;
using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Gateway.Rest.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Values;

/// <summary>Values as a table for spreadsheets: RFC 4180, with a byte order mark, because Excel reads a file without
/// one in a legacy code page. Arrays and structures are JSON in one cell. A text that a spreadsheet would read as a
/// formula gets an apostrophe in front. Owner: the request, which ends it.</summary>
internal sealed class ValuesCsv : IDisposable
{
    private const int MostTimeBytes = 32;

    private readonly HttpContext _context;
    private readonly AnswerSender _sender;
    private readonly UaJsonWriter _json;
    private readonly PooledBuffer _text = new(limitBytes: Array.MaxLength);
    private readonly PooledBuffer _plain = new(limitBytes: Array.MaxLength);
    private readonly Holding _memory;
    private int _countedOfText;
    private int _countedOfPlain;
    private bool _isEnded;

    /// <summary>These begin a cell within a quoted text in a spreadsheet whose separator is not the comma.</summary>
    private static ReadOnlySpan<byte> Separators => ";\t\r\n"u8;

    /// <param name="context">Of the request.</param>
    /// <param name="format">Of the cells.</param>
    /// <param name="limitBytes">Of one of them as JSON.</param>
    public ValuesCsv(HttpContext context, JsonFormat format, int limitBytes = UaJsonWriter.DefaultLimitBytes)
    {
        (_context, _sender) = (context, AnswerSender.Of(context));
        _memory = _sender.Hold(context);
        _json = UaJsonWriter.Rent(format, limitBytes: limitBytes, meter: _memory);
        context.Response.RegisterForDispose(this);
        context.Response.ContentType = "text/csv; charset=utf-8; header=present";
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.Vary = "Accept";
        _text.Write("\uFEFFnode,value,type,status,sourceTimestamp,serverTimestamp\r\n"u8);
    }

    /// <summary>True if the Accept header prefers CSV to JSON; between equals the first one counts.</summary>
    public static bool IsWanted(HttpRequest request)
    {
        if (!MediaTypeHeaderValue.TryParseList(request.Headers.Accept, out var accepted))
            return false;
        var best = accepted
            .Where(static one => one.Quality is not 0)
            .OrderByDescending(static one => one.Quality ?? 1)
            .FirstOrDefault(static one => Is(one, "text/csv") || Is(one, "application/json") || Is(one, "*/*"));
        return best is not null && Is(best, "text/csv");
    }

    public void Add(in NamedNode node, in DataValue value)
    {
        if (node.Id.IsNull)
            _json.Json.WriteStringValue(node.Text);
        else
            _json.WriteNodeId(node.Id);
        Cell();
        _text.Write(","u8);
        var (type, status) = (value.Value.Type, value.Status);
        if (type != BuiltInType.Null)
            _json.WriteBareVariant(value.Value);
        var cell = !_json.Failed && !TryMakeRoom(_json.Length) ? StatusCodes.BadOutOfMemory : _json.Status;
        if (cell.IsBad)
        {
            (type, status) = (BuiltInType.Null, cell);
            _json.Reset();
        }

        if (type != BuiltInType.Null)
            Cell();
        Write(type == BuiltInType.Null ? "," : "," + type);
        Write(status.Code == 0 ? ",Good" : "," + status);
        Time(value.SourceTimestamp);
        Time(value.ServerTimestamp);
        _text.Write("\r\n"u8);
    }

    /// <summary>Of the text that has not been sent.</summary>
    public int Length => _text.Length;

    public bool IsPieceFull => Length >= AnswerSender.SliceBytes;

    public async ValueTask EndAsync()
    {
        // Quotation marks need more room than was known before.
        Count(_text, ref _countedOfText);
        await _sender.SendAsync(
            _context, _text.WrittenMemory, _memory, _text.CapacityBytes, _context.RequestAborted)
            .ConfigureAwait(false);
        _text.Reset();
        Count(_text, ref _countedOfText);
    }

    public void Dispose()
    {
        if (_isEnded)
            return;
        _isEnded = true;
        _json.Return();
        _text.Dispose();
        _plain.Dispose();
        _memory.Dispose();
    }

    /// <summary>For a cell, before it is copied. False: there is no memory for it.</summary>
    private bool TryMakeRoom(int bytes)
    {
        Count(_plain, ref _countedOfPlain);
        return TryMakeRoom(_plain, ref _countedOfPlain, bytes) && TryMakeRoom(_text, ref _countedOfText, bytes);
    }

    private bool TryMakeRoom(PooledBuffer buffer, ref int counted, int bytes)
    {
        if (buffer.FreeSpan.Length >= bytes)
            return true;
        var after = (int)Math.Min(Math.Max(buffer.Length + (long)bytes, 2L * buffer.CapacityBytes), Array.MaxLength);
        if (!_memory.TryChange(counted, after))
            return false;
        counted = after;
        buffer.TryGrow(0, bytes);
        Count(buffer, ref counted);
        return true;
    }

    private void Count(PooledBuffer buffer, ref int counted)
    {
        if (buffer.CapacityBytes != counted && _memory.TryChange(counted, buffer.CapacityBytes))
            counted = buffer.CapacityBytes;
    }

    private static bool Is(MediaTypeHeaderValue one, string type) =>
        one.MediaType.Equals(type, StringComparison.OrdinalIgnoreCase);

    private void Write(string text) => _text.Write(Encoding.ASCII.GetBytes(text));

    private void Time(DateTime time)
    {
        _text.Write(","u8);
        if (time == default)
            return;
        Span<byte> text = stackalloc byte[MostTimeBytes];
        time.TryFormat(text, out var length, "yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture);
        _text.Write(text[..length]);
    }

    /// <summary>Writes the last value. The text of a JSON string is written unquoted, everything else as JSON.
    /// </summary>
    private void Cell()
    {
        var json = _json.WrittenSpan;
        var reader = new Utf8JsonReader(json);
        if (json[0] == '"' && reader.Read())
        {
            if (_plain.FreeSpan.Length < json.Length)
                _plain.TryGrow(0, json.Length);
            _plain.Advance(reader.CopyString(_plain.FreeSpan));
            Cell(_plain.WrittenSpan, isText: true);
            _plain.Reset();
        }
        else
        {
            Cell(json, isText: false);
        }

        _json.Reset();
    }

    /// <summary>A spreadsheet begins a cell at its own separator, which may be any of <see cref="Separators"/>. So the
    /// start of a formula is guarded behind each of them.</summary>
    private void Cell(ReadOnlySpan<byte> text, bool isText)
    {
        var isQuoted = text.ContainsAny(Separators) || text.ContainsAny((byte)',', (byte)'"');
        if (isQuoted)
            _text.Write("\""u8);
        while (isText && text.IndexOfAny(Separators) is >= 0 and var separator)
        {
            Piece(text[..separator], isText, isQuoted);
            _text.Write(text.Slice(separator, 1));
            text = text[(separator + 1)..];
        }

        Piece(text, isText, isQuoted);
        if (isQuoted)
            _text.Write("\""u8);
    }

    private void Piece(ReadOnlySpan<byte> text, bool isText, bool isQuoted)
    {
        if (isText && IsFormula(text))
            _text.Write("'"u8);
        while (isQuoted && text.IndexOf((byte)'"') is >= 0 and var quote)
        {
            _text.Write(text[..(quote + 1)]);
            _text.Write("\""u8);
            text = text[(quote + 1)..];
        }

        _text.Write(text);
    }

    /// <summary>A negative number as text, an Int64, is none. Spreadsheets of East Asia take wide signs, too.</summary>
    private static bool IsFormula(ReadOnlySpan<byte> text) =>
        (text.Length > 0 && "=+-@"u8.Contains(text[0]) &&
        (text[0] != '-' || text.Length == 1 || text[1..].ContainsAnyExceptInRange((byte)'0', (byte)'9'))) ||
        text.StartsWith("＝"u8) || text.StartsWith("＋"u8) || text.StartsWith("－"u8) || text.StartsWith("＠"u8);
}
