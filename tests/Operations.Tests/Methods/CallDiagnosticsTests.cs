using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Methods;

namespace Gateway.Operations.Tests.Methods;

/// <summary>Source: Part 4 §7.12, §7.32.</summary>
public sealed class CallDiagnosticsTests
{
    private const uint All = 0x3FF;

    private static readonly CallMethodResult Refused = new()
    {
        StatusCode = StatusCodes.BadInvalidArgument,
        InputArgumentResults = [StatusCodes.Good, StatusCodes.BadOutOfRange],
    };

    /// <summary>Two answers number their texts alike.</summary>
    [Fact]
    public void Take_TwoAnswers_IndexesAreThoseOfOneTable()
    {
        var diagnostics = new CallDiagnostics(All, 3);

        var first = diagnostics.Take(0, new DiagnosedCall(
            Refused, new DiagnosticInfo { SymbolicId = 0, LocalizedText = 1 },
            [null, new DiagnosticInfo { LocalizedText = 1, AdditionalInfo = "valve" }], ["E7", "stuck"]));
        diagnostics.Take(2, new DiagnosedCall(
            Refused,
            new DiagnosticInfo { LocalizedText = 0, InnerDiagnosticInfo = new DiagnosticInfo { SymbolicId = 1 } },
            null, ["stuck", "E8"]));

        Assert.Equal<IEnumerable<string?>>(["E7", "stuck", "E8"], diagnostics.StringTable!);
        Assert.Equal<IEnumerable<DiagnosticInfo?>>(
            [
                new DiagnosticInfo { SymbolicId = 0, LocalizedText = 1 }, null,
                new DiagnosticInfo
                {
                    LocalizedText = 1,
                    InnerDiagnosticInfo = new DiagnosticInfo { SymbolicId = 2 },
                },
            ],
            diagnostics.Infos!);
        Assert.Equal<IEnumerable<DiagnosticInfo?>>(
            [null, new DiagnosticInfo { LocalizedText = 1, AdditionalInfo = "valve" }],
            first.InputArgumentDiagnosticInfos!);
        Assert.Equal(Refused.StatusCode, first.StatusCode);
    }

    [Theory]
    [InlineData(0x1Fu, 0u)]
    [InlineData(0x3FFu, 0x3E0u)]
    public void Asked_OperationLevelAlone(uint returned, uint asked) =>
        Assert.Equal(asked, new CallDiagnostics(returned, 1).Asked);

    [Fact]
    public void Take_MoreThanAskedFor_LeftOut()
    {
        var diagnostics = new CallDiagnostics(0x40, 1);

        diagnostics.Take(0, new DiagnosedCall(
            Refused,
            new DiagnosticInfo
            {
                SymbolicId = 0,
                LocalizedText = 1,
                AdditionalInfo = "at Program.cs",
                InnerStatusCode = StatusCodes.BadInternalError,
            },
            null, ["E7", "stuck"]));

        Assert.Equal(new DiagnosticInfo { LocalizedText = 0 }, Assert.Single(diagnostics.Infos!));
        Assert.Equal("stuck", Assert.Single(diagnostics.StringTable!));
    }

    /// <summary>Without texts they take memory, too, and an upstream may nest a hundred in each (R42).</summary>
    [Fact]
    public void Take_InfosWithoutEnd_OnlyAsManyAsTextsMayTake()
    {
        var one = new DiagnosticInfo { InnerStatusCode = StatusCodes.BadInternalError };
        var nested = one;
        for (var depth = 1; depth < 100; depth++)
            nested = one with { InnerDiagnosticInfo = nested };
        var diagnostics = new CallDiagnostics(All, 1000);
        for (var call = 0; call < 1000; call++)
            diagnostics.Take(call, new DiagnosedCall(Refused, nested));

        var count = 0;
        foreach (var info in diagnostics.Infos!)
        {
            for (var at = info; at is not null; at = at.InnerDiagnosticInfo)
                count++;
        }

        Assert.InRange(count, 1000, 2000);
    }

    /// <summary>An answer is input (R42).</summary>
    [Fact]
    public void Take_IndexesOfNothingAndTextsWithoutEnd_LeftOut()
    {
        var diagnostics = new CallDiagnostics(All, 1);
        var large = new string('x', CallDiagnostics.MaxCharacters);

        var result = diagnostics.Take(0, new DiagnosedCall(
            Refused, new DiagnosticInfo { SymbolicId = 7, LocalizedText = 1, Locale = int.MaxValue },
            [new DiagnosticInfo { LocalizedText = 0 }], ["E7", large + "x", null]));

        Assert.Null(diagnostics.Infos);
        Assert.Null(diagnostics.StringTable);
        // Of one input, where there are two.
        Assert.Null(result.InputArgumentDiagnosticInfos);
    }
}
