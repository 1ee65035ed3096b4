using System.Globalization;
using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// Reads OPC UA JSON from one UTF-8 span, whatever encoding it is in. It stands on a value; each read takes the value
/// that it stands on. Errors stick: the first one sets <see cref="Status"/> and <see cref="Problem"/>, every later read
/// returns a default, so a caller checks once, after <see cref="End"/>. Depth, lengths and memory are bounded as in
/// <see cref="UaBinaryReader"/> (R01, R02). Unknown and repeated members are errors. Nothing throws.
/// Source: Part 6 §5.4.
/// </summary>
public ref partial struct UaJsonReader
{
    /// <summary>How often the text may be stepped over in all, because a type comes after its value: a small text as
    /// often as it has levels.</summary>
    private const int MostPasses = 16;
    private const int LeastSteps = 1024 * 1024;

    /// <summary>Objects and arrays for one level of a value, and for what is around it.</summary>
    private const int JsonDepthPerLevel = 3;
    private const int JsonDepthAround = 8;

    private readonly ReadOnlySpan<byte> _text;
    private readonly JsonFormat _format;
    private Utf8JsonReader _json;
    private long _unspentBytes;
    private long _unspentSteps;
    private int _depth;
    private int _typeIdDepth;

    /// <param name="text">The whole text.</param>
    /// <param name="format">Tables and structures; the encoding is found in the text. Null: without any.</param>
    /// <param name="limits">Null: the defaults.</param>
    /// <param name="meter">Of the message; null: it counts for itself alone.</param>
    public UaJsonReader(
        ReadOnlySpan<byte> text, JsonFormat? format = null, DecodingLimits? limits = null, DecodeMeter? meter = null)
    {
        _text = text;
        _format = format ?? JsonFormat.Compact;
        Limits = limits ?? DecodingLimits.Default;
        Meter = meter;
        _unspentBytes = Limits.MaxDecodedBytes;
        _unspentSteps = Math.Max((long)MostPasses * text.Length, LeastSteps);
        _json = new Utf8JsonReader(text, new JsonReaderOptions { MaxDepth = MaxJsonDepth });
        if (text.Length > Limits.MaxDecodedBytes)
            Fail(StatusCodes.BadEncodingLimitsExceeded, "the text is too long");
        else
            Step();
    }

    /// <summary>Good, Bad_DecodingError, Bad_EncodingLimitsExceeded, Bad_DataTypeIdUnknown for the fields of an unknown
    /// structure, or Bad_OutOfMemory where the meter's budget is spent.</summary>
    public StatusCode Status { get; private set; }

    /// <summary>Where it failed and what was expected there: <c>$.Value[2]: expected Int16, −32768 … 32767</c>. Null as
    /// long as nothing failed. Holds nothing of the text but harmless names.</summary>
    public string? Problem { get; private set; }

    public readonly bool Failed => Status.IsBad;

    public readonly bool IsNull => !Failed && _json.TokenType == JsonTokenType.Null;
    public readonly bool IsNumber => !Failed && _json.TokenType == JsonTokenType.Number;
    public readonly bool IsString => !Failed && _json.TokenType == JsonTokenType.String;
    public readonly bool IsBoolean => !Failed && _json.TokenType is JsonTokenType.True or JsonTokenType.False;
    public readonly bool IsStartObject => !Failed && _json.TokenType == JsonTokenType.StartObject;
    public readonly bool IsStartArray => !Failed && _json.TokenType == JsonTokenType.StartArray;

    internal DecodingLimits Limits { get; }

    internal DecodeMeter? Meter { get; }

    internal readonly JsonUris Uris => _format.Uris;

    internal readonly IJsonStructures? Structures => _format.Structures;

    internal readonly IJsonStructures TypeIds => _format.TypeIds;

    /// <summary>The DataType that the next ExtensionObject has where it does not say one itself; null: it has to.
    /// </summary>
    internal NodeId ExpectedDataType { get; set; }

    /// <summary>To come back to by <see cref="Rewind"/>.</summary>
    internal readonly Utf8JsonReader Here => _json;

    public bool ReadBoolean()
    {
        if (!Failed && _json.TokenType is JsonTokenType.True or JsonTokenType.False)
            return _json.TokenType == JsonTokenType.True;
        Expected("Boolean");
        return false;
    }

    public sbyte ReadSByte() => (sbyte)ReadInteger(sbyte.MinValue, sbyte.MaxValue, "SByte");

    public byte ReadByte() => (byte)ReadInteger(0, byte.MaxValue, "Byte");

    public short ReadInt16() => (short)ReadInteger(short.MinValue, short.MaxValue, "Int16");

    public ushort ReadUInt16() => (ushort)ReadInteger(0, ushort.MaxValue, "UInt16");

    public int ReadInt32() => (int)ReadInteger(int.MinValue, int.MaxValue, "Int32");

    public uint ReadUInt32() => (uint)ReadInteger(0, uint.MaxValue, "UInt32");

    /// <summary>A string, or a number that a less careful writer wrote.</summary>
    public long ReadInt64()
    {
        if (IsNumber && JsonScalars.TryGetInt64(_json, out var value))
            return value;
        if (IsString && JsonScalars.TryReadInt64(_json, out value))
            return value;
        Expected("Int64 as a string");
        return 0;
    }

    public ulong ReadUInt64()
    {
        if (IsNumber && JsonScalars.TryGetUInt64(_json, out var value))
            return value;
        if (IsString && JsonScalars.TryReadUInt64(_json, out value))
            return value;
        Expected("UInt64 as a string");
        return 0;
    }

    public float ReadFloat()
    {
        if (IsNumber && _json.TryGetSingle(out var value) && float.IsFinite(value))
            return value;
        return (float)ReadSpecial("Float");
    }

    public double ReadDouble()
    {
        if (IsNumber && _json.TryGetDouble(out var value) && double.IsFinite(value))
            return value;
        return ReadSpecial("Double");
    }

    /// <summary>Invalid UTF-8, a lone surrogate and an embedded NUL are refused with Bad_DecodingError (R25).</summary>
    public string? ReadString() => IsNull ? null : TryReadText("a string", out var text) ? text : null;

    public DateTime ReadDateTime()
    {
        if (IsNull)
            return DateTime.MinValue;
        if (IsString && JsonScalars.TryReadDateTime(_json, out var value))
            return value;
        Expected("DateTime in ISO 8601");
        return default;
    }

    public Guid ReadGuid()
    {
        if (IsNull)
            return default;
        if (IsString && JsonScalars.TryReadGuid(_json, out var value))
            return value;
        Expected("Guid");
        return default;
    }

    public byte[]? ReadByteString()
    {
        if (IsNull)
            return null;
        if (!Failed && _json.TokenType == JsonTokenType.String)
        {
            var most = _json.ValueSpan.Length / 4L * 3;
            if (most > Limits.MaxByteStringLengthBytes)
                Fail(StatusCodes.BadEncodingLimitsExceeded, "the ByteString is too long");
            else if (TryCharge(DecodedSize.OfArray<byte>((int)most)) && JsonScalars.TryReadBytes(_json, out var value))
                return value;
        }

        Expected("Base64");
        return null;
    }

    public XmlElement ReadXmlElement() => new(ReadString());

    public NodeId ReadNodeId() => NodeIdJson.Read(ref this);

    public ExpandedNodeId ReadExpandedNodeId() => NodeIdJson.ReadExpanded(ref this);

    public StatusCode ReadStatusCode() => StatusCodeJson.Read(ref this);

    public QualifiedName ReadQualifiedName() => QualifiedNameJson.Read(ref this);

    public LocalizedText ReadLocalizedText() => LocalizedTextJson.Read(ref this);

    public ExtensionObject ReadExtensionObject() => ExtensionObjectJson.Read(ref this);

    public DataValue ReadDataValue() => DataValueJson.Read(ref this);

    public Variant ReadVariant() => VariantJson.Read(ref this);

    public DiagnosticInfo? ReadDiagnosticInfo() => DiagnosticInfoJson.Read(ref this);

    /// <summary>An array of a built-in type; T is its CLR type. Null for NULL.</summary>
    public T[]? ReadArray<T>(BuiltInType type) => IsNull ? null : (T[]?)ArrayJson.Read(ref this, type);

    /// <summary>The text has to end behind the value. Call it last.</summary>
    public void End()
    {
        if (!Failed && Step())
            Fail(StatusCodes.BadDecodingError, "the text goes on behind the value");
    }

    /// <summary>A value was not what it has to be.</summary>
    public void Expected(string what)
    {
        if (!Failed)
            Fail(StatusCodes.BadDecodingError, "expected " + what);
    }

    /// <summary>An error at the value that it stands on.</summary>
    /// <param name="status">What is answered.</param>
    /// <param name="words">Without text of the peer.</param>
    public void Fail(StatusCode status, string words) => Fail(status, words, _json.TokenStartIndex);

    /// <summary>Steps over the value that it stands on. Returns the place to <see cref="Rewind"/> to.</summary>
    internal Utf8JsonReader StepOver()
    {
        var start = _json;
        if (Failed)
            return start;
        try
        {
            _json.Skip();
        }
        catch (JsonException)
        {
            FailSyntax();
        }

        _unspentSteps -= _json.BytesConsumed - start.BytesConsumed;
        if (_unspentSteps < 0)
            Fail(StatusCodes.BadEncodingLimitsExceeded, "too many types that come after their values");
        return start;
    }

    /// <summary>Back to a place that it stood on. Returns the one that it stands on.</summary>
    internal Utf8JsonReader Rewind(Utf8JsonReader place)
    {
        var here = _json;
        if (!Failed)
            _json = place;
        return here;
    }

    /// <summary>The object that it stands on has <c>UaTypeId</c> beside the fields of a structure. Returns what
    /// <see cref="EndTypeId"/> restores.</summary>
    internal int BeginTypeId()
    {
        var outer = _typeIdDepth;
        _typeIdDepth = _json.CurrentDepth + 1;
        return outer;
    }

    internal void EndTypeId(int outer) => _typeIdDepth = outer;

    /// <summary>Before an allocation. False: the message's limit (Bad_EncodingLimitsExceeded) or the process's budget
    /// (Bad_OutOfMemory) is spent.</summary>
    /// <param name="bytes">Of memory.</param>
    /// <param name="isMetered">The meter has counted them already.</param>
    internal bool TryCharge(long bytes, bool isMetered = false)
    {
        _unspentBytes -= bytes;
        if (_unspentBytes >= 0 && (isMetered || Meter is null || Meter.TryTake(bytes)))
            return true;
        var isOwn = _unspentBytes < 0;
        Fail(
            isOwn ? StatusCodes.BadEncodingLimitsExceeded : StatusCodes.BadOutOfMemory,
            isOwn ? "the values are too large" : "no memory for it now");
        return false;
    }

    /// <summary>For a body in UA Binary: what is left of depth and memory.</summary>
    internal readonly DecodingLimits LimitsOfBody() =>
        Limits with { MaxDepth = Limits.MaxDepth - _depth, MaxDecodedBytes = _unspentBytes };

    internal long ReadInteger(long least, long most, string what)
    {
        if (IsNumber && JsonScalars.TryGetInt64(_json, out var value) && value >= least && value <= most)
            return value;
        if (!Failed)
            Expected(string.Create(CultureInfo.InvariantCulture, $"{what}, {least} … {most}"));
        return 0;
    }

    internal bool TryReadText(string what, out string text)
    {
        text = "";
        if (Failed || _json.TokenType != JsonTokenType.String)
        {
            Expected(what);
            return false;
        }

        var length = _json.ValueSpan.Length;
        if (length > Limits.MaxStringLengthBytes)
        {
            Fail(StatusCodes.BadEncodingLimitsExceeded, "the string is too long");
            return false;
        }

        if (!TryCharge(DecodedSize.OfString(length)))
            return false;
        if (JsonScalars.TryReadText(_json, out text))
            return true;
        Fail(StatusCodes.BadDecodingError, "the string is no valid UTF-8, or has a NUL in it");
        return false;
    }

    private readonly int MaxJsonDepth => (JsonDepthPerLevel * Limits.MaxDepth) + JsonDepthAround;

    private readonly bool IsTypeIdOfBody =>
        _json.CurrentDepth == _typeIdDepth && _json.ValueTextEquals("UaTypeId"u8);

    private double ReadSpecial(string what)
    {
        if (IsString && JsonScalars.TryReadSpecial(_json, out var value))
            return value;
        Expected($"{what}, or the string NaN, Infinity or -Infinity");
        return 0;
    }

    /// <summary>To the next token; false at the text's end and after an error.</summary>
    private bool Step()
    {
        if (Failed)
            return false;
        try
        {
            return _json.Read();
        }
        catch (JsonException)
        {
            FailSyntax();
            return false;
        }
    }

    /// <summary>The only exceptions that the runtime's reader knows are about syntax and about depth.</summary>
    private void FailSyntax()
    {
        // The depth does not count an object or array that the reader stands at the start of.
        if (_json.CurrentDepth >= MaxJsonDepth - 1)
            Fail(StatusCodes.BadEncodingLimitsExceeded, "too deep", _json.BytesConsumed);
        else
            Fail(StatusCodes.BadDecodingError, "no valid JSON, or cut off", _json.BytesConsumed);
    }

    private void Fail(StatusCode status, string words, long offset)
    {
        if (Failed)
            return;
        Status = status;
        Problem = $"{JsonPlace.Of(_text, offset)}: {words}";
    }
}
