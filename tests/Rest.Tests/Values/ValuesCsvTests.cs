using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Tests.Values;

public sealed class ValuesCsvTests
{
    private const int LimitBytes = 100_000;

    public static TheoryData<Variant, string> Cells => new()
    {
        { new Variant("=1+1"), "'=1+1" },
        { new Variant(new QualifiedName("=1+1")), "'=1+1" },
        { new Variant("x;=1+1"), "\"x;'=1+1\"" },
        { new Variant("x\n@y\t+z"), "\"x\n'@y\t'+z\"" },
        { new Variant("a,=1"), "\"a,=1\"" },
        { new Variant(new XmlElement("=HYPERLINK(\"http://x\")")), "\"'=HYPERLINK(\"\"http://x\"\")\"" },
        { new Variant("@x"), "'@x" },
        { new Variant("\t=x"), "\"\t'=x\"" },
        { new Variant("＝1＋1"), "'＝1＋1" },
        { new Variant("＠x"), "'＠x" },
        { new Variant(double.NegativeInfinity), "'-Infinity" },
        { Variant.FromByteString([0xF8, 0, 0]), "'+AAA" },
        { new Variant(-7), "-7" },
        { new Variant(long.MinValue), "-9223372036854775808" },
        { new Variant("-7x"), "'-7x" },
        { new Variant("a,b"), "\"a,b\"" },
        { new Variant("ü\n"), "\"ü\n\"" },
        { Variant.FromArray(BuiltInType.String, new[] { "=1" }), "\"[\"\"=1\"\"]\"" },
    };

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task Add_Value_CellThatASpreadsheetTakesForNoFormula(Variant value, string cell)
    {
        var line = (await WriteAsync(new DataValue(value)))[1];

        Assert.StartsWith($"i=1,{cell},{value.Type},Good,", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Add_ValueThatIsTooLongAsJson_HasAStatusAndTheOthersTheirValues()
    {
        var large = new Variant(new string('\u0001', LimitBytes));

        var lines = await WriteAsync(
            new DataValue(new Variant(1)), new DataValue(large), new DataValue(new Variant(2)));

        Assert.Equal("i=1,1,Int32,Good,,", lines[1]);
        Assert.Equal("i=1,,,BadEncodingLimitsExceeded,,", lines[2]);
        Assert.Equal("i=1,2,Int32,Good,,", lines[3]);
    }

    /// <summary>R43: a large cell is there three times.</summary>
    [Fact]
    public async Task Add_LargeCell_CountsWhatIsRentedAndARefusedOneHasAStatus()
    {
        var sender = new AnswerSender(
            new RestLimits { MaxHttpAnswersBytes = 10_000_000 }, new TransportLimits(), TimeProvider.System);
        var context = ContextOf(sender);
        using var csv = new ValuesCsv(context, JsonFormat.Compact);

        csv.Add(new NamedNode("i=1", new NodeId(1)), new DataValue(new Variant(new string('x', 400_000))));
        Assert.InRange(sender.HeldBytes, 800_000, 10_000_000);
        csv.Add(new NamedNode("i=2", new NodeId(2)), new DataValue(new Variant(new string('x', 20_000_000))));
        await csv.EndAsync();

        var lines = Encoding.UTF8.GetString(((MemoryStream)context.Response.Body).ToArray()).Split("\r\n");
        Assert.StartsWith("i=1,xxx", lines[1], StringComparison.Ordinal);
        Assert.Equal("i=2,,,BadOutOfMemory,,", lines[2]);
        csv.Dispose();
        Assert.Equal(0, sender.HeldBytes);
    }

    [Theory]
    [InlineData("text/csv", true)]
    [InlineData("Text/CSV", true)]
    [InlineData("text/csv;q=0.5, application/json", false)]
    [InlineData("", false)]
    public void IsWanted_Accept_WhateverItsCase(string accept, bool isWanted)
    {
        var context = new DefaultHttpContext();
        context.Request.Headers.Accept = accept;

        Assert.Equal(isWanted, ValuesCsv.IsWanted(context.Request));
    }

    private static async Task<string[]> WriteAsync(params DataValue[] values)
    {
        var context = ContextOf(
            new AnswerSender(new RestLimits(), new TransportLimits(), TimeProvider.System));
        using (var csv = new ValuesCsv(context, JsonFormat.Compact, LimitBytes))
        {
            foreach (var value in values)
                csv.Add(new NamedNode("i=1", new NodeId(1)), value);
            await csv.EndAsync();
        }

        return Encoding.UTF8.GetString(((MemoryStream)context.Response.Body).ToArray()).Split("\r\n");
    }

    private static DefaultHttpContext ContextOf(AnswerSender sender)
    {
        var context = new DefaultHttpContext();
        context.Response.Body = new MemoryStream();
        context.Features.Set(sender);
        return context;
    }
}
