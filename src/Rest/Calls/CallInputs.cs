using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Calls;

/// <summary>The inputs of a call as its method takes them. Thread-safe.</summary>
internal sealed class CallInputs(NodeTable nodes, NodeAccess access, ValueConverter converter)
{
    /// <summary>Bad, with the wrong input and the expected one as the problem.</summary>
    /// <param name="body">The request's body.</param>
    /// <param name="expected">The arguments of the method.</param>
    /// <param name="meter">Of the request.</param>
    /// <param name="enumerations">Of the request.</param>
    /// <param name="inputs">Valid after Good.</param>
    /// <param name="problem">As text.</param>
    public StatusCode Convert(
        CallBody body, Argument[] expected, DecodeMeter meter, EnumTables enumerations, out Variant[] inputs,
        out string? problem)
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

            var status = converter.Convert(
                body.Inputs[place], TypeOf(expected[i]), meter, enumerations, out inputs[i], out var wrong);
            if (!status.IsBad)
                continue;
            problem = Of(body, expected, i, wrong!);
            if (status.CodeBits == StatusCodes.BadOutOfMemory)
                return status;
            return StatusCodes.BadInvalidArgument;
        }

        return StatusCode.Good;
    }

    /// <summary>Describes an input that the method's own check refuses: outside its enumeration, or of a type that an
    /// abstract one does not allow.</summary>
    /// <param name="body">The request's body.</param>
    /// <param name="expected">The arguments of the method.</param>
    /// <param name="index">Index of the input.</param>
    /// <param name="enumerations">Of the request.</param>
    /// <param name="caller">A type that the caller may not see is not named (R36).</param>
    public string Expected(CallBody body, Argument[] expected, int index, EnumTables enumerations, Caller caller) =>
        Of(body, expected, index, "expected " + InWords(TypeOf(expected[index]), enumerations, caller));

    private string InWords(in ExpectedType type, EnumTables enumerations, Caller caller)
    {
        if (type.BuiltInType == BuiltInType.Null)
        {
            var dataType = nodes.Find(type.DataType);
            return access.IsVisible(caller, dataType)
                ? $"a value of {nodes.GetBrowseName(dataType).Name}"
                : type.InWords;
        }

        return enumerations.Of(type)?.InWords ?? type.InWords;
    }

    private ExpectedType TypeOf(Argument expected) =>
        new(expected.DataType, nodes.GetBuiltInType(expected.DataType), expected.ValueRank);

    private static string Of(CallBody body, Argument[] expected, int index, string wrong) => body.Names is null
        ? string.Create(CultureInfo.InvariantCulture, $"inputs[{index}] ({expected[index].Name}): {wrong}")
        : $"inputs.{expected[index].Name}: {wrong}";

    private static string? CountProblem(CallBody body, Argument[] expected) =>
        body.Inputs.Length == expected.Length ? null : "inputs: " + InWords(expected);

    private static string InWords(Argument[] expected) => expected.Length == 0
        ? "expected none"
        : "expected " + string.Join(", ", expected.Select(static one => one.Name));
}
