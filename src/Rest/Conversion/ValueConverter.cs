using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;

namespace Gateway.Rest.Conversion;

/// <summary>Converts JSON to a value for a Variable or an Argument. Thread-safe.</summary>
internal sealed class ValueConverter(RestFormat format, AbstractValues abstractValues)
{
    /// <summary>Of JSON, in a unit of work.</summary>
    private const int BytesOfUnit = 4;

    /// <summary>The place of a problem with the value as a whole.</summary>
    private const string AtStart = "$: ";

    private const string Expected = "expected ";

    /// <summary>The work of <see cref="Convert"/>.</summary>
    public static int UnitsOf(in JsonPiece piece) => 1 + (piece.Text.Length / BytesOfUnit);

    /// <summary>Bad, with the expected input as the problem.</summary>
    /// <param name="piece">The value.</param>
    /// <param name="type">The type that it must have.</param>
    /// <param name="meter">Of the request.</param>
    /// <param name="enumerations">Of the request.</param>
    /// <param name="value">Valid after Good.</param>
    /// <param name="problem"><c>expected Int16, -32768 … 32767</c>, with the place inside the value unless it is the
    /// start.</param>
    public StatusCode Convert(
        in JsonPiece piece, in ExpectedType type, DecodeMeter meter, EnumTables enumerations, out Variant value,
        out string? problem)
    {
        var reader = new UaJsonReader(piece.Text, format.Current, meter: meter);
        var table = enumerations.Of(type);
        if (table is not null)
            value = table.ReadAll(ref reader);
        else if (type.BuiltInType == BuiltInType.Null)
            value = abstractValues.Read(ref reader, type.DataType);
        else
            value = ReadTyped(ref reader, type);
        reader.End();
        problem = reader.Failed ? InWords(reader.Problem!, type, isEnumeration: table is not null) : null;
        if (reader.Failed)
            return reader.Status.CodeBits == StatusCodes.BadDecodingError
                ? StatusCodes.BadTypeMismatch
                : reader.Status;
        if (FitsRank(type.ValueRank, value.ValueRank))
            return StatusCode.Good;
        problem = Expected + type.InWords;
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

    /// <summary>The reader's place is relative to the value, so a problem of the value as a whole needs none. For a
    /// structure or an enumeration the reader's text says more than the type; for an element of an array, and for
    /// members of one, it says its place.</summary>
    private static string InWords(string problem, in ExpectedType type, bool isEnumeration)
    {
        var isWhole = problem.StartsWith(AtStart, StringComparison.Ordinal);
        var end = problem.IndexOf(": ", StringComparison.Ordinal) + 2;
        var words = problem[end..];
        if (isEnumeration || type.BuiltInType == BuiltInType.ExtensionObject ||
            !words.StartsWith(Expected, StringComparison.Ordinal))
            return isWhole ? words : problem;
        if (isWhole)
            return Expected + type.InWords;
        var isElement = end > AtStart.Length && problem[1..(end - 2)].All(
            static one => char.IsAsciiDigit(one) || one is '[' or ']');
        return isElement && type.ValueRank != -1 ? problem[..end] + Expected + type.OneInWords : problem;
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
