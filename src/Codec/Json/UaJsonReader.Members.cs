using System.Text;
using System.Text.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The way through objects and arrays.</summary>
public ref partial struct UaJsonReader
{
    /// <summary>False and an error if the current value is no object.</summary>
    public bool BeginObject()
    {
        if (!IsStartObject)
            Expected("an object");
        return !Failed;
    }

    /// <summary>Moves to the value of the object's next member; false at its end. A repeated or unknown member is an
    /// error.</summary>
    /// <param name="names">At most 64.</param>
    /// <param name="seen">A bit for each member that was read; 0 before the first call.</param>
    /// <param name="member">Index of the member's name; −1 for an unknown one that is accepted.</param>
    /// <param name="takesUnknown">Unknown members are no error.</param>
    public bool NextMember(
        ReadOnlySpan<byte[]> names, scoped ref ulong seen, out int member, bool takesUnknown = false) =>
        NextMember(names, ref seen, out member, takesUnknown, tellsNames: true);

    private bool NextMember(
        ReadOnlySpan<byte[]> names, scoped ref ulong seen, out int member, bool takesUnknown, bool tellsNames)
    {
        member = -1;
        if (Failed || !Step() || _json.TokenType != JsonTokenType.PropertyName)
            return false;
        if (!JsonScalars.TryFindName(_json, names, out member))
            Fail(StatusCodes.BadDecodingError, "a name that is no valid text");
        else if (member >= 0 && (seen & (1UL << member)) != 0)
            Fail(StatusCodes.BadDecodingError, $"the member {Encoding.UTF8.GetString(names[member])} is there twice");
        else if (member < 0 && !takesUnknown && !IsTypeIdOfBody)
            Fail(
                StatusCodes.BadDecodingError,
                $"unknown member {JsonPlace.NameAt(_text, _json.TokenStartIndex)}{(tellsNames ? InWords(names) : "")}");
        if (member >= 0)
            seen |= 1UL << member;
        return Step();
    }

    /// <summary>The same for the fields of a structure: the type's id beside the fields of an ExtensionObject is
    /// stepped over.</summary>
    /// <param name="names">At most 64.</param>
    /// <param name="seen">A bit for each member that was read; 0 before the first call.</param>
    /// <param name="member">Index of the member's name.</param>
    /// <param name="tellsNames">Where a field is unknown. False for types that not everybody may see (R36).</param>
    public bool NextField(
        ReadOnlySpan<byte[]> names, scoped ref ulong seen, out int member, bool tellsNames = true)
    {
        while (NextMember(names, ref seen, out member, takesUnknown: false, tellsNames))
        {
            if (member >= 0)
                return true;
            StepOver();
        }

        return false;
    }

    /// <summary>False and an error if the current value is no array.</summary>
    public bool BeginArray()
    {
        if (!IsStartArray)
            Expected("an array");
        return !Failed;
    }

    /// <summary>Goes to the array's next element; false at its end.</summary>
    public bool NextElement() => Step() && _json.TokenType != JsonTokenType.EndArray;

    /// <summary>One level deeper in a recursive type; false and Bad_EncodingLimitsExceeded past the limit (R01).
    /// </summary>
    public bool TryEnter()
    {
        if (Failed)
            return false;
        if (++_depth <= Limits.MaxDepth)
            return true;
        Fail(StatusCodes.BadEncodingLimitsExceeded, "too deep");
        return false;
    }

    public void Leave() => _depth--;

    private static string InWords(ReadOnlySpan<byte[]> names)
    {
        if (names.IsEmpty)
            return ": expected none";
        var words = new StringBuilder(": expected ");
        for (var i = 0; i < names.Length; i++)
            words.Append(i == 0 ? "" : ", ").Append(Encoding.UTF8.GetString(names[i]));
        return words.ToString();
    }
}
