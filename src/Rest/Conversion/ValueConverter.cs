using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;

namespace Gateway.Rest.Conversion;

/// <summary>JSON to the value that a Variable or an Argument takes. Thread-safe.</summary>
internal sealed class ValueConverter(RestFormat format, EnumNames enumerations)
{
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
        if (fields is not null && reader.IsString)
        {
            var name = reader.ReadString() ?? "";
            if (EnumNames.TryFind(fields, name, out var number))
            {
                (value, problem) = (new Variant(number), null);
                return StatusCode.Good;
            }

            (value, problem) = (default, "expected " + EnumNames.InWords(fields));
            return reader.Failed ? reader.Status : StatusCodes.BadTypeMismatch;
        }

        value = type.BuiltInType == BuiltInType.Null ? ReadAny(ref reader) : ReadTyped(ref reader, type);
        reader.End();
        problem = reader.Failed ? InWords(reader.Problem!, type, fields) : null;
        if (reader.Failed)
            return reader.Status.CodeBits == StatusCodes.BadDecodingError
                ? StatusCodes.BadTypeMismatch
                : reader.Status;
        if (FitsRank(type.ValueRank, value.ValueRank))
            return StatusCode.Good;
        problem = "expected " + type.InWords;
        return StatusCodes.BadTypeMismatch;
    }

    private static Variant ReadTyped(ref UaJsonReader reader, in ExpectedType type) =>
        type.BuiltInType == BuiltInType.Byte && type.ValueRank != -1 && reader.IsString
            ? Variant.FromArray(BuiltInType.Byte, reader.ReadByteString())
            : reader.ReadBareVariant(type.BuiltInType);

    /// <summary>The type is what JSON says, or what the value itself says.</summary>
    private static Variant ReadAny(ref UaJsonReader reader)
    {
        if (reader.IsBoolean)
            return new Variant(reader.ReadBoolean());
        if (reader.IsString)
            return new Variant(reader.ReadString());
        if (reader.IsNumber)
            return new Variant(reader.ReadDouble());
        return reader.IsStartArray ? reader.ReadBareVariant(BuiltInType.Variant) : reader.ReadVariant();
    }

    /// <summary>The reader's place starts at the value: what is wrong with the value as a whole needs none.</summary>
    private static string InWords(string problem, in ExpectedType type, EnumField[]? fields)
    {
        if (!problem.StartsWith("$: ", StringComparison.Ordinal))
            return problem;
        return "expected " + (fields is null ? type.InWords : EnumNames.InWords(fields));
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
