using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>What the reader accepts beside what the writer writes, and how it refuses the rest.</summary>
public sealed class UaJsonReaderTests
{
    /// <summary>A text, and the Compact text of what it is read as.</summary>
    [Theory]
    [InlineData("""{"Value":5,"UaType":6}""", """{"UaType":6,"Value":5}""")]
    [InlineData(
        """{"Dimensions":[2,1],"Value":[5,6],"UaType":6}""",
        """{"UaType":6,"Value":[5,6],"Dimensions":[2,1]}""")]
    [InlineData("""{"Type":6,"Body":5}""", """{"UaType":6,"Value":5}""")]
    [InlineData("""{"Body":5,"Type":6}""", """{"UaType":6,"Value":5}""")]
    [InlineData("""{"UaType":6}""", """{"UaType":6,"Value":0}""")]
    [InlineData("""{"UaType":12,"Value":null}""", """{"UaType":12}""")]
    [InlineData("""{"UaType":0,"Value":null}""", "null")]
    [InlineData("""{"UaType":0}""", "null")]
    [InlineData("{}", "null")]
    [InlineData("null", "null")]
    [InlineData(""" { "UaType" : 6 , "Value" : 5 } """, """{"UaType":6,"Value":5}""")]
    [InlineData("""{"\u0055aType":6,"Value":5}""", """{"UaType":6,"Value":5}""")]
    [InlineData("""{"UaType":8,"Value":-5}""", """{"UaType":8,"Value":"-5"}""")]
    [InlineData("""{"UaType":9,"Value":5}""", """{"UaType":9,"Value":"5"}""")]
    [InlineData("""{"UaType":11,"Value":1e3}""", """{"UaType":11,"Value":1000}""")]
    [InlineData("""{"UaType":12,"Value":"\ud83d\ude00\u0041"}""", """{"UaType":12,"Value":"\uD83D\uDE00A"}""")]
    [InlineData(
        """{"UaType":13,"Value":"2026-11-21T06:30:00+02:00"}""",
        """{"UaType":13,"Value":"2026-11-21T04:30:00Z"}""")]
    [InlineData("""{"UaType":13,"Value":"2026-11-21T04:30:00"}""", """{"UaType":13,"Value":"2026-11-21T04:30:00Z"}""")]
    [InlineData(
        """{"UaType":13,"Value":"2026-11-21T04:30:00.123456789Z"}""",
        """{"UaType":13,"Value":"2026-11-21T04:30:00.1234567Z"}""")]
    [InlineData("""{"UaType":13,"Value":"1600-01-01T00:00:00Z"}""", """{"UaType":13}""")]
    [InlineData("""{"UaType":13,"Value":"0001-01-01T00:00:00Z"}""", """{"UaType":13}""")]
    [InlineData(
        """{"UaType":13,"Value":"9999-12-31T23:59:59.5Z"}""",
        """{"UaType":13,"Value":"9999-12-31T23:59:59Z"}""")]
    [InlineData("""{"UaType":17,"Value":{"Id":7,"Namespace":1}}""", """{"UaType":17,"Value":"nsu=urn:server;i=7"}""")]
    [InlineData(
        """{"UaType":17,"Value":{"Namespace":"urn:server","Id":"x","IdType":1}}""",
        """{"UaType":17,"Value":"nsu=urn:server;s=x"}""")]
    [InlineData("""{"UaType":17,"Value":"nsu=urn%3Aserver;i=7"}""", """{"UaType":17,"Value":"nsu=urn:server;i=7"}""")]
    [InlineData("""{"UaType":20,"Value":"nsu=urn%3aserver;n"}""", """{"UaType":20,"Value":"nsu=urn:server;n"}""")]
    [InlineData("""{"UaType":17,"Value":"ns=1;i=7"}""", """{"UaType":17,"Value":"nsu=urn:server;i=7"}""")]
    [InlineData("""{"UaType":17,"Value":"nsu=urn:unknown;i=7"}""", """{"UaType":17,"Value":"s=nsu=urn:unknown;i=7"}""")]
    [InlineData("""{"UaType":18,"Value":"nsu=urn:unknown;i=7"}""", """{"UaType":18,"Value":"nsu=urn:unknown;i=7"}""")]
    [InlineData("""{"UaType":18,"Value":"svu=urn:unknown;i=7"}""", """{"UaType":18,"Value":"s=svu=urn:unknown;i=7"}""")]
    [InlineData(
        """{"UaType":18,"Value":{"Id":7,"ServerUri":"urn:other"}}""",
        """{"UaType":18,"Value":"svu=urn:other;i=7"}""")]
    [InlineData("""{"UaType":19,"Value":2148139008}""", """{"UaType":19,"Value":{"Code":2148139008}}""")]
    [InlineData(
        """{"UaType":19,"Value":{"Symbol":"BadTimeout","Code":2148139008}}""",
        """{"UaType":19,"Value":{"Code":2148139008}}""")]
    [InlineData(
        """{"UaType":20,"Value":{"Name":"n","Uri":"urn:server"}}""",
        """{"UaType":20,"Value":"nsu=urn:server;n"}""")]
    [InlineData("""{"UaType":20,"Value":"nsu=urn:unknown;n"}""", """{"UaType":20,"Value":"0:nsu=urn:unknown;n"}""")]
    [InlineData("""{"UaType":21,"Value":"Gas"}""", """{"UaType":21,"Value":{"Text":"Gas"}}""")]
    [InlineData(
        """{"UaType":22,"Value":{"UaBody":"AQID","UaEncoding":1,"UaTypeId":"ns=9;i=5"}}""",
        """{"UaType":22,"Value":{"UaTypeId":"ns=9;i=5","UaEncoding":1,"UaBody":"AQID"}}""")]
    [InlineData(
        """{"UaType":22,"Value":{"TypeId":{"Id":5,"Namespace":9},"Encoding":2,"Body":"<a/>"}}""",
        """{"UaType":22,"Value":{"UaTypeId":"ns=9;i=5","UaEncoding":2,"UaBody":"PGEvPg=="}}""")]
    [InlineData(
        """{"UaType":22,"Value":{"UaTypeId":"ns=9;i=5"}}""",
        """{"UaType":22,"Value":{"UaTypeId":"ns=9;i=5"}}""")]
    [InlineData(
        """{"UaType":23,"Value":{"Value":{"Type":6,"Body":5},"StatusCode":2148139008}}""",
        """{"UaType":23,"Value":{"UaType":6,"Value":5,"Status":{"Code":2148139008}}}""")]
    [InlineData(
        """{"UaType":23,"Value":{"Value":5,"Status":{},"UaType":6,"SourcePicoSeconds":7,""" +
        "\"SourceTimestamp\":\"2026-01-01\"}}",
        """{"UaType":23,"Value":{"UaType":6,"Value":5,""" +
        "\"SourceTimestamp\":\"2026-01-01T00:00:00Z\",\"SourcePicoseconds\":7}}")]
    [InlineData(
        """{"UaType":24,"Value":[{"UaType":1,"Value":true},null]}""",
        """{"UaType":24,"Value":[{"UaType":1,"Value":true},null]}""")]
    [InlineData("""{"UaType":24}""", """{"UaType":24,"Value":[]}""")]
    [InlineData("""{"UaType":24,"Value":null,"Dimensions":[0]}""", """{"UaType":24,"Value":[]}""")]
    [InlineData("""{"Type":19,"Body":[null,5]}""", """{"UaType":19,"Value":[{},{"Code":5}]}""")]
    public void ReadVariant_OtherForms_AreAccepted(string text, string compact) =>
        Assert.Equal(compact, JsonOf.Text(JsonEncoding.Compact, JsonOf.Variant(text)));

    [Theory]
    [InlineData("", "$: no valid JSON, or cut off")]
    [InlineData("5", "$: expected an object")]
    [InlineData("""{"UaType":6,"Value":5} 1""", "$: no valid JSON, or cut off")]
    [InlineData("""{"UaType":6,"Value":5""", "$.Value: no valid JSON, or cut off")]
    [InlineData("""{"UaType":6,"Value":5,}""", "$: no valid JSON, or cut off")]
    [InlineData("""{"UaType":6,"Value":NaN}""", "$.Value: no valid JSON, or cut off")]
    [InlineData("""{"UaType":6,"Value":5,"Value":6}""", "$: the member Value is there twice")]
    [InlineData(
        """{"UaType":6,"Vaule":5}""",
        "$: unknown member \"Vaule\": expected UaType, Value, Dimensions, Type, Body")]
    [InlineData("""{"UaType":6,"Type":6}""", "$: expected either UaType and Value or Type and Body")]
    [InlineData("""{"Value":5}""", "$: expected a member UaType")]
    [InlineData("""{"UaType":26}""", "$.UaType: expected a built-in type, 0 … 25")]
    [InlineData("""{"UaType":4,"Value":32768}""", "$.Value: expected Int16, -32768 … 32767")]
    [InlineData("""{"UaType":4,"Value":1.5}""", "$.Value: expected Int16, -32768 … 32767")]
    [InlineData("""{"UaType":4,"Value":"5"}""", "$.Value: expected Int16, -32768 … 32767")]
    [InlineData("""{"UaType":6,"Value":[1,2,null]}""", "$.Value[2]: expected Int32, -2147483648 … 2147483647")]
    [InlineData("""{"UaType":8,"Value":"9223372036854775808"}""", "$.Value: expected Int64 as a string")]
    [InlineData("""{"UaType":8,"Value":" 5"}""", "$.Value: expected Int64 as a string")]
    [InlineData(
        """{"UaType":11,"Value":1e999}""",
        "$.Value: expected Double, or the string NaN, Infinity or -Infinity")]
    [InlineData("""{"UaType":10,"Value":1e39}""", "$.Value: expected Float, or the string NaN, Infinity or -Infinity")]
    [InlineData("""{"UaType":11,"Value":null}""", "$: expected no null for Double")]
    [InlineData("""{"Value":null,"UaType":1}""", "$: expected no null for Boolean")]
    [InlineData("""{"Type":19,"Body":null}""", "$: expected no null for StatusCode")]
    [InlineData("""{"UaType":23,"Value":{"UaType":11,"Value":null}}""", "$.Value: expected no null for Double")]
    [InlineData("""{"UaType":12,"Value":5}""", "$.Value: expected a string")]
    [InlineData("""{"UaType":12,"Value":"\ud800"}""", "$.Value: the string is no valid UTF-8, or has a NUL in it")]
    [InlineData("""{"UaType":12,"Value":"a\u0000b"}""", "$.Value: the string is no valid UTF-8, or has a NUL in it")]
    [InlineData("""{"\ud800":1}""", "$: a name that is no valid text")]
    [InlineData("""{"UaType":15,"Value":"\ud800"}""", "$.Value: expected Base64")]
    [InlineData("""{"UaType":13,"Value":"yesterday"}""", "$.Value: expected DateTime in ISO 8601")]
    [InlineData("""{"UaType":14,"Value":"1234"}""", "$.Value: expected Guid")]
    [InlineData("""{"UaType":15,"Value":"a"}""", "$.Value: expected Base64")]
    [InlineData("""{"UaType":17,"Value":"x=1"}""", "$.Value: expected a NodeId")]
    [InlineData(
        """{"UaType":17,"Value":{"IdType":2,"Id":"x"}}""",
        "$.Value: expected an Id of the kind that IdType says")]
    [InlineData("""{"UaType":22,"Value":{"A":1}}""", "$.Value: expected a member UaTypeId")]
    [InlineData("""{"UaType":23,"Value":{"Status":{},"StatusCode":{}}}""", "$.Value: expected each member once")]
    [InlineData(
        """{"UaType":6,"Value":[1,2,3],"Dimensions":[2,2]}""",
        "$: expected Dimensions whose product is the number of elements")]
    [InlineData("""{"UaType":6,"Value":[],"Dimensions":[2147483647,0,2]}""", null)]
    [InlineData("""{"UaType":24,"Value":{"UaType":1}}""", "$.Value: expected an array of Variants")]
    [InlineData(
        """{"UaType":24,"Value":[{"UaType":23,"Value":{"UaType":4,"Value":"x"}}]}""",
        "$.Value[0].Value.Value: expected Int16, -32768 … 32767")]
    public void ReadVariant_Wrong_SaysWhereAndWhat(string text, string? problem)
    {
        var failed = JsonOf.FailVariant(text);
        Assert.Equal(problem, failed.Problem);
        Assert.Equal(problem is null ? StatusCodes.Good : StatusCodes.BadDecodingError, failed.Status.Code);
    }

    /// <summary>An escape in a string is that character (RFC 8259 §7). Source: Part 6 §5.4.2.6.</summary>
    [Theory]
    [InlineData("""{"UaType":13,"Value":"2026-01-31T12:00:00\u002B01:00"}""", "2026-01-31T11:00:00Z")]
    [InlineData("""{"UaType":13,"Value":"2026\u002d01-31T12:00:00Z"}""", "2026-01-31T12:00:00Z")]
    [InlineData(
        """{"UaType":13,"Value":"2026-01-31T12:00:00.12345678901234567890Z"}""", "2026-01-31T12:00:00.1234567Z")]
    [InlineData(
        """{"UaType":13,"Value":"2026-01-31T12:00:00.99999999999999999999+01:00"}""", "2026-01-31T11:00:00.9999999Z")]
    [InlineData("""{"UaType":13,"Value":"9999-12-31T23:59:59-05:00"}""", "9999-12-31T23:59:59Z")]
    [InlineData("""{"UaType":13,"Value":"0001-01-01T00:00:00+01:00"}""", "0001-01-01T00:00:00Z")]
    public void DateTime_EscapedOrWithManyDecimals_IsRead(string text, string expected) => Assert.Equal(
        JsonOf.Variant($$"""{"UaType":13,"Value":"{{expected}}"}"""), JsonOf.Variant(text));

    [Fact]
    public void Numbers_EscapedInAString_AreRead()
    {
        Assert.Equal(-5, JsonOf.Variant("""{"UaType":8,"Value":"\u002d5"}""").AsInt64());
        Assert.Equal(5u, JsonOf.Variant("""{"UaType":9,"Value":"\u0035"}""").AsUInt64());
        Assert.True(double.IsNaN(JsonOf.Variant("""{"UaType":11,"Value":"\u004eaN"}""").AsDouble()));
        Assert.Equal(
            new Guid("72962b91-fa75-4ae6-8d28-b404dc7daf63"),
            JsonOf.Variant("""{"UaType":14,"Value":"72962b91\u002dfa75-4ae6-8d28-b404dc7daf63"}""").AsGuid());
    }

    [Theory]
    [InlineData("""{"UaType":13,"Value":"\ud800"}""")]
    [InlineData("""{"UaType":13,"Value":"9999-12-31T23:59:59-15:00"}""")]
    [InlineData("""{"UaType":13,"Value":"9999-12-31T23:59:59-05:60"}""")]
    [InlineData("""{"UaType":13,"Value":"0001-13-01T00:00:00+01:00"}""")]
    [InlineData("""{"UaType":13,"Value":"2026-01-31T12:00:00Z\u0022"}""")]
    [InlineData("""{"UaType":13,"Value":"2026-01-31T12:00:00."}""")]
    [InlineData("""{"UaType":14,"Value":"\ud800"}""")]
    [InlineData("""{"UaType":8,"Value":"\ud800"}""")]
    [InlineData("""{"UaType":9,"Value":"\u002d5"}""")]
    [InlineData("""{"UaType":11,"Value":"\ud800"}""")]
    [InlineData("""{"UaType":4,"Value":7.5}""")]
    [InlineData("""{"UaType":4,"Value":1e5}""")]
    [InlineData("""{"UaType":8,"Value":1e400}""")]
    [InlineData("""{"UaType":9,"Value":-1.0}""")]
    public void Scalars_ThatAreNone_AreRefused(string text) =>
        Assert.Equal(StatusCodes.BadDecodingError, JsonOf.FailVariant(text).Status.Code);

    /// <summary>JSON has one kind of number. Source: RFC 8259 §6.</summary>
    [Theory]
    [InlineData("""{"UaType":4,"Value":7.0}""", 7)]
    [InlineData("""{"UaType":4,"Value":7e0}""", 7)]
    [InlineData("""{"UaType":6,"Value":-1.5e1}""", -15)]
    [InlineData("""{"UaType":8,"Value":9007199254740993.0}""", 9007199254740993)]
    [InlineData("""{"UaType":9,"Value":1E2}""", 100)]
    [InlineData("""{"UaType":3,"Value":-0.0}""", 0)]
    public void Integers_WithAFractionOfZero_AreRead(string text, long expected) =>
        Assert.Equal(expected, JsonOf.Variant(text).AsInt64());

    [Fact]
    public void ReadString_InvalidUtf8_IsRefused()
    {
        byte[] text = [(byte)'"', 0xC3, 0x28, (byte)'"'];
        Assert.Equal(
            StatusCodes.BadDecodingError, JsonOf.Fail(text, (ref UaJsonReader r) => r.ReadString()).Status.Code);
        byte[] escaped = [(byte)'"', (byte)'\\', (byte)'n', 0xC3, 0x28, (byte)'"'];
        Assert.Equal(
            StatusCodes.BadDecodingError, JsonOf.Fail(escaped, (ref UaJsonReader r) => r.ReadString()).Status.Code);
    }

    /// <summary>R24: what the peer called its member is shown, but cannot break a line.</summary>
    [Fact]
    public void ReadVariant_HostileName_IsEscapedInTheProblem()
    {
        var problem = JsonOf.FailVariant("{\"a\u202Eb" + new string('x', 1000) + "\":1}").Problem!;
        Assert.Contains("a\\u202Eb", problem);
        Assert.InRange(problem.Length, 1, 150);
    }

    /// <summary>What stands before, each level, what is innermost, and the end of each level.</summary>
    public static TheoryData<string, string, string, string> Nested => new()
    {
        { "", """{"UaType":24,"Value":[""", "null", "]}" },
        { "", """{"UaType":23,"Value":""", "null", "}" },
        { "", """{"Value":[""", "null", """],"UaType":24}""" },
        { """{"UaType":22,"Value":{"UaTypeId":"i=99999","A":""", "[", "", "]" },
        { """{"UaType":25,"Value":""", """{"InnerDiagnosticInfo":""", "null", "}" },
        { "", """{"UaType":22,"Value":{"UaTypeId":"i=599","A":""", "null", "}}" },
    };

    /// <summary>R02: nobody is charged for a name, so it is not copied: neither to find nor to show it.</summary>
    [Theory]
    [InlineData("x")]
    [InlineData("\\u0078")]
    public void ReadVariant_HugeName_IsNotCopied(string start)
    {
        var text = Encoding.UTF8.GetBytes($$"""{"{{start}}{{new string('x', 4_000_000)}}":1}""");
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.StartsWith("$: unknown member", JsonOf.Fail(text, (ref UaJsonReader r) => r.ReadVariant()).Problem);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
    }

    /// <summary>Within the levels that R01 allows, a type may come behind its value at each one.</summary>
    [Theory]
    [InlineData("""{"Value":[""", """],"UaType":24}""")]
    [InlineData("""{"UaType":22,"Value":{"UaTypeId":"i=597","Value":""", "}}")]
    public void ReadVariant_FortyTypesBehindTheirValues_IsRead(string open, string close)
    {
        var bulk = """{"UaType":12,"Value":"%"}""".Replace("%", new string('x', 10_000));
        var text = Repeat(open, 40) + bulk + Repeat(close, 40);
        Assert.Equal(StatusCodes.Good, JsonOf.FailVariant(text).Status.Code);
    }

    /// <summary>R01: ten thousand levels of every recursive form.</summary>
    [Theory]
    [MemberData(nameof(Nested))]
    public void ReadVariant_TenThousandLevels_IsRefused(string start, string level, string middle, string end)
    {
        var text = start + Repeat(level, 10_000) + middle + Repeat(end, 10_000);
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, JsonOf.FailVariant(text).Status.Code);
    }

    /// <summary>Each level whose type comes last steps over all levels inside it: a bounded number of times.</summary>
    [Fact]
    public void ReadVariant_TypesBehindLargeValues_IsBounded()
    {
        var text = Repeat("""{"Value":[""", 60) + new string(' ', 100_000) + "null" + Repeat("""],"UaType":24}""", 60);
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, JsonOf.FailVariant(text).Status.Code);
        var fewer = Repeat("""{"Value":[""", 8) + new string(' ', 100_000) + "null" + Repeat("""],"UaType":24}""", 8);
        Assert.Equal(StatusCodes.Good, JsonOf.FailVariant(fewer).Status.Code);
    }

    [Theory]
    [InlineData("""{"UaType":12,"Value":"12345678901"}""")]
    [InlineData("""{"UaType":15,"Value":"MTIzNDU2Nzg5MDE="}""")]
    [InlineData("""{"UaType":6,"Value":[1,2,3,4,5,6,7,8,9,10,11]}""")]
    [InlineData("""{"UaType":24,"Value":[{"UaType":24,"Value":[{"UaType":24,"Value":[null]}]}]}""")]
    public void ReadVariant_PastALimit_IsRefused(string text)
    {
        var limits = new DecodingLimits
        {
            MaxArrayLength = 10,
            MaxByteStringLengthBytes = 10,
            MaxStringLengthBytes = 10,
            MaxDepth = 2,
        };
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, JsonOf.FailVariant(text, limits).Status.Code);
        Assert.Equal(StatusCodes.Good, JsonOf.FailVariant(text).Status.Code);
    }

    /// <summary>R01: each form that can hold itself, closed and cut off.</summary>
    [Theory]
    [InlineData("""{"UaType":24,"Value":[""", "]}")]
    [InlineData("""{"Value":[""", """],"UaType":24}""")]
    [InlineData("""{"UaType":23,"Value":{"UaType":24,"Value":[""", "]}}")]
    [InlineData("""{"UaType":25,"Value":{"InnerDiagnosticInfo":""", "}}")]
    [InlineData("""{"UaType":22,"Value":{"UaTypeId":"i=296","DefaultValue":""", "}}")]
    [InlineData("[", "]")]
    [InlineData("""{"Unknown":""", "}")]
    public void ReadVariant_TenThousandDeep_IsRefused(string open, string close)
    {
        foreach (var text in (string[])[Repeat(open, 10_000) + Repeat(close, 10_000), Repeat(open, 10_000)])
            Assert.True(JsonOf.FailVariant(text).Status.IsBad);
    }

    /// <summary>R02: five bytes become 40 of memory.</summary>
    [Fact]
    public void ReadVariant_ManySmallElements_AreCharged()
    {
        var text = """{"UaType":23,"Value":[""" + string.Join(',', Enumerable.Repeat("null", 100_000)) + "]}";
        var limits = new DecodingLimits { MaxDecodedBytes = 1_000_000 };
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, JsonOf.FailVariant(text, limits).Status.Code);
        var budget = new DecodeBudget(1_000_000);
        var meter = DecodeMeter.Rent(budget, null);
        var reader = new UaJsonReader(Encoding.UTF8.GetBytes(text), meter: meter);
        reader.ReadVariant();
        Assert.Equal(StatusCodes.BadOutOfMemory, reader.Status.Code);
        meter.Return();
        Assert.Equal(0, budget.Bytes);
    }

    private static string Repeat(string text, int times) =>
        new StringBuilder(text.Length * times).Insert(0, text, times).ToString();
}
