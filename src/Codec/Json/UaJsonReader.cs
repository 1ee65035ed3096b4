using System.Globalization;
using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// Reads OPC UA JSON from one UTF-8 span, in whichever encoding it is. The reader is positioned on a value; each read
/// consumes it. Errors stick: the first one sets <see cref="Status"/> and <see cref="Problem"/>, and every later read
/// returns a default. So a caller checks once, after <see cref="End"/>. Depth, lengths and memory are bounded as in
/// <see cref="UaBinaryReader"/> (R01, R02). Unknown and repeated members are errors. Never throws. Source: Part 6 §5.4.
/// </summary>
public ref partial struct UaJsonReader
{
    /// <summary>Limit on how often the text may be skipped over, because a type may come after its value. A small text
    /// may be skipped over once for each level.</summary>
    private const int MostPasses = 16;
    private const int LeastSteps = 1024 * 1024;

    /// <summary>Objects and arrays for one level of a value, and for the levels around it.</summary>
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
    /// <param name="format">Tables and structures; the text shows the encoding. Null: without any.</param>
    /// <param name="limits">Null: the defaults.</param>
    /// <param name="meter">The meter of the message; null: the reader counts its own memory only.</param>
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
    /// structure, or Bad_OutOfMemory if the meter's budget is spent.</summary>
    public StatusCode Status { get; private set; }

    /// <summary>The place of the error and the expected value: <c>$.Value[2]: expected Int16, −32768 … 32767</c>. Null
    /// without an error. Contains nothing of the text except harmless names.</summary>
    public string? Problem { get; private set; }

    public readonly bool Failed => Status.IsBad;

    public readonly bool IsNull => !Failed && _json.TokenType == JsonTokenType.Null;
    public readonly bool IsNumber => !Failed && _json.TokenType == JsonTokenType.Number;
    public readonly bool IsString => !Failed && _json.TokenType == JsonTokenType.String;
    public readonly bool IsBoolean => !Failed && _json.TokenType is JsonTokenType.True or JsonTokenType.False;
    public readonly bool IsStartObject => !Failed && _json.TokenType == JsonTokenType.StartObject;
    public readonly bool IsStartArray => !Failed && _json.TokenType == JsonTokenType.StartArray;

    /// <summary>The most elements of an array in the outermost structure: more operations than the service takes are
    /// Bad_TooManyOperations before they are made. 0: as many as in any array.</summary>
    public int MaxOperations { get; set; }

    /// <summary>The outermost structure may have <c>UaTypeId</c> beside its fields: it is passed over.</summary>
    public bool TakesTypeId
    {
        set => _typeIdDepth = value ? 1 : 0;
    }

    /// <summary>The most elements that an array may have at this place.</summary>
    internal readonly int MaxElements =>
        _depth == 1 && MaxOperations > 0 ? Math.Min(MaxOperations, Limits.MaxArrayLength) : Limits.MaxArrayLength;

    internal DecodingLimits Limits { get; }

    internal DecodeMeter? Meter { get; }

    internal readonly JsonUris Uris => _format.Uris;

    internal readonly IJsonStructures? Structures => _format.Structures;

    internal readonly IJsonStructures TypeIds => _format.TypeIds;

    /// <summary>The DataType of the next ExtensionObject if it has no type id; null: it must have one.</summary>
    internal NodeId ExpectedDataType { get; set; }

    /// <summary>The position, for <see cref="Rewind"/>.</summary>
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

    /// <summary>From a string, or from a number as less careful writers produce.</summary>
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

    /// <summary>Invalid UTF-8, a lone surrogate and an embedded NUL are Bad_DecodingError (R25).</summary>
    public string? ReadString() => IsNull ? null : TryReadText("a string", out var text) ? text : null;

    /// <summary>The current string as it stands in the text, unchecked; false where a part of it is escaped.</summary>
    public readonly bool TryGetPlainText(out ReadOnlySpan<byte> utf8)
    {
        var isPlain = IsString && !_json.ValueIsEscaped;
        utf8 = isPlain ? _json.ValueSpan : default;
        return isPlain;
    }

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

    /// <summary>Null where its type is unknown, or its fields are not those of its type.</summary>
    public ExtensionObject ReadKnownExtensionObject()
    {
        var attempt = this;
        var value = attempt.ReadExtensionObject();
        if (attempt.Status.CodeBits is StatusCodes.BadDataTypeIdUnknown or StatusCodes.BadDecodingError)
        {
            StepOver();
            return default;
        }

        this = attempt;
        return value;
    }

    public DataValue ReadDataValue() => DataValueJson.Read(ref this);

    public Variant ReadVariant() => VariantJson.Read(ref this);

    public DiagnosticInfo? ReadDiagnosticInfo() => DiagnosticInfoJson.Read(ref this);

    /// <summary>An array of a built-in type; T is its CLR type. Null for NULL.</summary>
    public T[]? ReadArray<T>(BuiltInType type) => IsNull ? null : (T[]?)ArrayJson.Read(ref this, type);

    /// <summary>Fails if text follows the value. Call it last.</summary>
    public void End()
    {
        if (!Failed && Step())
            Fail(StatusCodes.BadDecodingError, "the text goes on behind the value");
    }

    /// <summary>An error: the value has the wrong form.</summary>
    public void Expected(string what)
    {
        if (!Failed)
            Fail(StatusCodes.BadDecodingError, "expected " + what);
    }

    /// <summary>An error at the current value.</summary>
    /// <param name="status">The result.</param>
    /// <param name="words">Without text of the peer.</param>
    public void Fail(StatusCode status, string words) => Fail(status, words, _json.TokenStartIndex);

    /// <summary>Skips over the current value. Returns its position, for <see cref="Rewind"/>.</summary>
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

    /// <summary>Returns to an earlier position. Returns the present one.</summary>
    internal Utf8JsonReader Rewind(Utf8JsonReader place)
    {
        var here = _json;
        if (!Failed)
            _json = place;
        return here;
    }

    /// <summary>The current object has <c>UaTypeId</c> beside the fields of a structure. Returns the value for
    /// <see cref="EndTypeId"/>.</summary>
    internal int BeginTypeId()
    {
        var outer = _typeIdDepth;
        _typeIdDepth = _json.CurrentDepth + 1;
        return outer;
    }

    internal void EndTypeId(int outer) => _typeIdDepth = outer;

    /// <summary>Called before an allocation. False: the message's limit (Bad_EncodingLimitsExceeded) or the process's
    /// budget (Bad_OutOfMemory) is spent.</summary>
    /// <param name="bytes">Bytes to allocate.</param>
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

    /// <summary>For a body in UA Binary: the remaining depth and memory.</summary>
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

    /// <summary>Moves to the next token; false at the end of the text and after an error.</summary>
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

    /// <summary>The runtime's reader throws for syntax and for depth only.</summary>
    private void FailSyntax()
    {
        // The depth does not count an object or array at whose start the reader is.
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
