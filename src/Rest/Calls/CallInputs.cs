using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Calls;

/// <summary>The inputs of a call as its method takes them. Thread-safe.</summary>
internal sealed class CallInputs(NodeTable nodes, ValueConverter converter)
{
    /// <summary>Bad with the input that is wrong and what was expected.</summary>
    /// <param name="body">Of the request.</param>
    /// <param name="expected">Of the method.</param>
    /// <param name="inputs">After Good.</param>
    /// <param name="problem">In words.</param>
    public StatusCode Convert(CallBody body, Argument[] expected, out Variant[] inputs, out string? problem)
    {
        inputs = new Variant[expected.Length];
        problem = CountProblem(body, expected);
        if (problem is not null)
            return body.Inputs.Length > expected.Length
                ? StatusCodes.BadTooManyArguments
                : StatusCodes.BadArgumentsMissing;
        for (var i = 0; i < expected.Length; i++)
        {
            var name = expected[i].Name ?? "";
            var place = body.Names is null ? i : Array.IndexOf(body.Names, name);
            if (place < 0)
            {
                problem = "inputs: " + InWords(expected);
                return StatusCodes.BadArgumentsMissing;
            }

            var dataType = expected[i].DataType;
            var type = new ExpectedType(dataType, nodes.GetBuiltInType(dataType), expected[i].ValueRank);
            var status = converter.Convert(body.Inputs[place], type, out inputs[i], out var wrong);
            if (!status.IsBad)
                continue;
            problem = body.Names is null
                ? string.Create(CultureInfo.InvariantCulture, $"inputs[{i}] ({name}): {wrong}")
                : $"inputs.{name}: {wrong}";
            return StatusCodes.BadInvalidArgument;
        }

        return StatusCode.Good;
    }

    private static string? CountProblem(CallBody body, Argument[] expected) =>
        body.Inputs.Length == expected.Length ? null : "inputs: " + InWords(expected);

    private static string InWords(Argument[] expected) => expected.Length == 0
        ? "expected none"
        : "expected " + string.Join(", ", expected.Select(static one => one.Name));
}
