using System.Text.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Reads values whose type is known from elsewhere, now or later.</summary>
public static class JsonPieces
{
    /// <summary>The value of a Variant alone. Arrays in an array are a matrix.</summary>
    /// <param name="reader">On the value.</param>
    /// <param name="type">Neither Null nor, for a scalar, Variant.</param>
    public static Variant ReadBareVariant(this ref UaJsonReader reader, BuiltInType type) =>
        BareVariantJson.Read(ref reader, type);

    /// <summary>One Int32, an array or a matrix of them, each as the caller reads it: an enumeration by its names.
    /// </summary>
    public static Variant ReadBareNumbers(this ref UaJsonReader reader, JsonNumberReader read) =>
        BareVariantJson.ReadNumbers(ref reader, read);

    /// <summary>A structure, an array or a matrix of structures whose DataType is known from elsewhere, so that the
    /// text may omit the type id. A type id in the text has precedence.</summary>
    /// <param name="reader">On the value.</param>
    /// <param name="dataType">The DataType of each structure; for an abstract one the text must have the type id.
    /// </param>
    public static Variant ReadBareStructures(this ref UaJsonReader reader, NodeId dataType)
    {
        reader.ExpectedDataType = dataType;
        var value = BareVariantJson.Read(ref reader, BuiltInType.ExtensionObject);
        reader.ExpectedDataType = default;
        return value;
    }

    /// <summary>Steps over the value that it stands on, to be read later by a reader of its own. Where it stands in the
    /// text.</summary>
    public static Range Skip(this ref UaJsonReader reader)
    {
        var start = reader.StepOver();
        return reader.Failed ? default : (int)start.TokenStartIndex..(int)reader.Here.BytesConsumed;
    }

    /// <summary>Goes to the value of the object's next member, whatever its name; false at its end.</summary>
    public static bool NextMember(this ref UaJsonReader reader, out string name)
    {
        name = "";
        if (!reader.NextElement() || reader.Here.TokenType != JsonTokenType.PropertyName)
            return false;
        if (!JsonScalars.TryReadText(reader.Here, out name))
            reader.Fail(StatusCodes.BadDecodingError, "a name that is no valid text");
        return reader.NextElement();
    }
}
