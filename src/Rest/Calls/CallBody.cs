using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Calls;

/// <summary>The body <c>{"object","method","inputs":[…]}</c>; inputs also by name, <c>{"A":1,"B":2}</c>, or null for
/// none.</summary>
/// <param name="Object">Its id.</param>
/// <param name="Method">Its id.</param>
/// <param name="Inputs">In the order of the body.</param>
/// <param name="Names">Names of the inputs; null: they are in the order of the method.</param>
internal sealed record CallBody(string Object, string Method, JsonPiece[] Inputs, string[]? Names)
{
    /// <summary>More than any method has.</summary>
    private const int MaxInputs = 256;

    private static readonly byte[][] Members =
        ["object"u8.ToArray(), "method"u8.ToArray(), "inputs"u8.ToArray()];

    /// <summary>Null with the problem in words.</summary>
    public static CallBody? Read(
        ReadOnlyMemory<byte> body, DecodeMeter meter, out StatusCode status, out string? problem)
    {
        var reader = new UaJsonReader(body.Span, meter: meter);
        string? on = null, method = null;
        var (inputs, names) = (new List<JsonPiece>(), (List<string>?)null);
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                on = reader.ReadString();
            else if (member == 1)
                method = reader.ReadString();
            else if (reader.IsNull)
                continue;
            else if (reader.IsStartArray)
                ReadList(ref reader, body, inputs);
            else
                ReadNamed(ref reader, body, inputs, names = []);
        }

        if (!reader.Failed && (on is null || method is null))
            reader.Expected("the members object and method");
        reader.End();
        (status, problem) = (reader.Status, reader.Problem);
        return reader.Failed ? null : new CallBody(on!, method!, [.. inputs], names?.ToArray());
    }

    private static void ReadList(ref UaJsonReader reader, ReadOnlyMemory<byte> body, List<JsonPiece> inputs)
    {
        for (reader.BeginArray(); reader.NextElement();)
            Add(ref reader, body, inputs);
    }

    private static void ReadNamed(
        ref UaJsonReader reader, ReadOnlyMemory<byte> body, List<JsonPiece> inputs, List<string> names)
    {
        reader.BeginObject();
        while (reader.NextMember(out var name))
        {
            if (names.Contains(name))
                reader.Expected("each input once");
            names.Add(name);
            Add(ref reader, body, inputs);
        }
    }

    private static void Add(ref UaJsonReader reader, ReadOnlyMemory<byte> body, List<JsonPiece> inputs)
    {
        if (inputs.Count == MaxInputs)
            reader.Fail(StatusCodes.BadTooManyArguments, "too many inputs");
        inputs.Add(new JsonPiece(body, reader.Skip()));
    }
}
