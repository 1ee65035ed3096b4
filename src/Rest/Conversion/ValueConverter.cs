using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;

namespace Gateway.Rest.Conversion;

/// <summary>JSON to the value that a Variable or an Argument takes. Thread-safe.</summary>
internal sealed class ValueConverter(RestFormat format, EnumNames enumerations, AbstractValues abstractValues)
{
    /// <summary>Of a problem with the value as a whole.</summary>
    private const string AtStart = "$: ";

    /// <summary>Bad with what was expected.</summary>
    /// <param name="piece">The value.</param>
    /// <param name="type">What it has to be.</param>
    /// <param name="value">After Good.</param>
    /// <param name="problem"><c>expected Int16, -32768 … 32767</c>, and where inside the value if not at its start.
    /// </param>
    public StatusCode Convert(in JsonPiece piece, in ExpectedType type, out Variant value, out string? problem)
    {
        var reader = new UaJsonReader(piece.Text, format.Current);
        var fields = enumerations.FieldsOf(type);
        if (fields is not null)
            value = EnumNames.ReadAll(ref reader, fields);
        else if (type.BuiltInType == BuiltInType.Null)
            value = abstractValues.Read(ref reader, type.DataType);
        else
            value = ReadTyped(ref reader, type);
        reader.End();
        problem = reader.Failed ? InWords(reader.Problem!, type, isEnumeration: fields is not null) : null;
        if (reader.Failed)
            return reader.Status.CodeBits == StatusCodes.BadDecodingError
                ? StatusCodes.BadTypeMismatch
                : reader.Status;
        if (FitsRank(type.ValueRank, value.ValueRank))
            return StatusCode.Good;
        problem = "expected " + type.InWords;
        return StatusCodes.BadTypeMismatch;
    }

    private static Variant ReadTyped(ref UaJsonReader reader, in ExpectedType type)
    {
        if (type.BuiltInType == BuiltInType.Byte && type.ValueRank != -1 && reader.IsString)
            return Variant.FromArray(BuiltInType.Byte, reader.ReadByteString());
        return type.BuiltInType == BuiltInType.ExtensionObject
            ? reader.ReadBareStructures(type.DataType)
            : reader.ReadBareVariant(type.BuiltInType);
    }

    /// <summary>The reader's place starts at the value: a problem of the value as a whole needs none. Of a structure
    /// or an enumeration the reader's words say more than the type.</summary>
    private static string InWords(string problem, in ExpectedType type, bool isEnumeration)
    {
        if (!problem.StartsWith(AtStart, StringComparison.Ordinal))
            return problem;
        var words = problem[AtStart.Length..];
        return isEnumeration || type.BuiltInType == BuiltInType.ExtensionObject ||
            !words.StartsWith("expected ", StringComparison.Ordinal)
                ? words
                : "expected " + type.InWords;
    }

    private static bool FitsRank(int rank, int actual) => rank switch
    {
        -3 => actual is -1 or 1,
        -2 => true,
        -1 => actual == -1,
        0 => actual >= 1,
        _ => actual == rank,
    };
}
