using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Types;

public sealed class NumericRangeTests
{
    private static readonly Variant Numbers = Variant.FromArray(BuiltInType.Int32, new[] { 0, 1, 2, 3, 4 });

    private static readonly Variant Matrix3By4 =
        Variant.FromMatrix(BuiltInType.Int32, new Matrix(Enumerable.Range(0, 12).ToArray(), [3, 4]));

    private static readonly Variant Strings =
        Variant.FromArray(BuiltInType.String, new[] { "abcdef", "水\U0001F600xyz", "hello" });

    [Theory]
    [InlineData("1:3", new[] { 1, 2, 3 })]
    [InlineData("4", new[] { 4 })]
    [InlineData("3:9", new[] { 3, 4 })]
    [InlineData("0:4", new[] { 0, 1, 2, 3, 4 })]
    public void Apply_Array_GivesTheElements(string range, int[] expected)
    {
        Assert.Equal(StatusCode.Good, Parse(range).Apply(Numbers, out var part));
        Assert.Equal(Variant.FromArray(BuiltInType.Int32, expected), part);
    }

    [Theory]
    [InlineData("1:2,0:1", new[] { 4, 5, 8, 9 }, new[] { 2, 2 })]
    [InlineData("1,1", new[] { 5 }, new[] { 1, 1 })]
    [InlineData("2:7,3:7", new[] { 11 }, new[] { 1, 1 })]
    [InlineData("0:2,2", new[] { 2, 6, 10 }, new[] { 3, 1 })]
    public void Apply_Matrix_GivesTheBlock(string range, int[] expected, int[] dimensions)
    {
        Assert.Equal(StatusCode.Good, Parse(range).Apply(Matrix3By4, out var part));
        Assert.Equal(Variant.FromMatrix(BuiltInType.Int32, new Matrix(expected, dimensions)), part);
    }

    [Fact]
    public void Apply_ThreeDimensions_GivesTheBlock()
    {
        var cube = Variant.FromMatrix(BuiltInType.Int32, new Matrix(Enumerable.Range(0, 24).ToArray(), [2, 3, 4]));

        Assert.Equal(StatusCode.Good, Parse("0:1,1:2,2:3").Apply(cube, out var part));

        Assert.Equal([6, 7, 10, 11, 18, 19, 22, 23], part.AsArray<int>()!);
        Assert.Equal([2, 2, 2], part.AsMatrix()!.Dimensions);
    }

    [Theory]
    [InlineData("0:1", "水\U0001F600")]
    [InlineData("1", "\U0001F600")]
    [InlineData("2:99", "xyz")]
    public void Apply_String_CountsCodePoints(string range, string expected)
    {
        Assert.Equal(StatusCode.Good, Parse(range).Apply(new Variant("水\U0001F600xyz"), out var part));
        Assert.Equal(new Variant(expected), part);
    }

    [Fact]
    public void Apply_ByteString_GivesTheBytes()
    {
        Assert.Equal(StatusCode.Good, Parse("1:2").Apply(Variant.FromByteString([9, 8, 7, 6]), out var part));
        Assert.Equal(Variant.FromByteString([8, 7]), part);
    }

    [Fact]
    public void Apply_OneDimensionMoreThanStrings_SelectsInsideEach()
    {
        Assert.Equal(StatusCode.Good, Parse("0:1,1:2").Apply(Strings, out var part));
        Assert.Equal(Variant.FromArray(BuiltInType.String, new[] { "bc", "\U0001F600x" }), part);
    }

    [Theory]
    [InlineData("5")]
    [InlineData("5:6")]
    [InlineData("0:1,0:1")]
    public void Apply_ArrayOutside_HasNoData(string range) => AssertNoData(range, Numbers);

    [Theory]
    [InlineData("3,0")]
    [InlineData("0,4")]
    [InlineData("0:1")]
    [InlineData("0,0,0")]
    public void Apply_MatrixOutside_HasNoData(string range) => AssertNoData(range, Matrix3By4);

    [Fact]
    public void Apply_NoArray_HasNoData()
    {
        AssertNoData("0", new Variant(1));
        AssertNoData("0", default);
        AssertNoData("0", Variant.FromArray(BuiltInType.Int32, null));
        AssertNoData("0", new Variant((string?)null));
        AssertNoData("3", new Variant("abc"));
        AssertNoData("0,0", new Variant("abc"));
        AssertNoData("0:2,5", Strings);
        AssertNoData("3", Variant.FromByteString([1, 2, 3]));
    }

    [Fact]
    public void Apply_Everything_IsTheValue()
    {
        Assert.Equal(StatusCode.Good, default(NumericRange).Apply(Numbers, out var part));
        Assert.Equal(Numbers, part);
    }

    [Fact]
    public void Write_Array_ChangesACopy()
    {
        var part = Variant.FromArray(BuiltInType.Int32, new[] { 8, 9 });

        Assert.Equal(StatusCode.Good, Parse("2:3").Write(Numbers, part, out var result));

        Assert.Equal([0, 1, 8, 9, 4], result.AsArray<int>()!);
        Assert.Equal([0, 1, 2, 3, 4], Numbers.AsArray<int>()!);
    }

    [Fact]
    public void Write_Matrix_ChangesTheBlock()
    {
        var part = Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { -1, -2, -3, -4 }, [2, 2]));

        Assert.Equal(StatusCode.Good, Parse("1:2,0:1").Write(Matrix3By4, part, out var result));

        Assert.Equal([0, 1, 2, 3, -1, -2, 6, 7, -3, -4, 10, 11], result.AsArray<int>()!);
        Assert.Equal([3, 4], result.AsMatrix()!.Dimensions);
    }

    [Fact]
    public void Write_StringAndByteString_ChangeInside()
    {
        Assert.Equal(
            StatusCode.Good, Parse("1:2").Write(new Variant("a\U0001F600cd"), new Variant("水x"), out var text));
        Assert.Equal(new Variant("a水xd"), text);
        Assert.Equal(
            StatusCode.Good,
            Parse("0").Write(Variant.FromByteString([1, 2]), Variant.FromByteString([9]), out var bytes));
        Assert.Equal(Variant.FromByteString([9, 2]), bytes);
        Assert.Equal(
            StatusCode.Good,
            Parse("2,0:1").Write(Strings, Variant.FromArray(BuiltInType.String, new[] { "HE" }), out var strings));
        Assert.Equal("HEllo", strings.AsArray<string>()![2]);
    }

    [Theory]
    [InlineData("4:5", StatusCodes.BadIndexRangeNoData)]
    [InlineData("1:3", StatusCodes.BadIndexRangeDataMismatch)]
    [InlineData("1", StatusCodes.BadIndexRangeDataMismatch)]
    [InlineData("0:1,0:1", StatusCodes.BadIndexRangeNoData)]
    public void Write_NotFitting_IsRefused(string range, uint expected)
    {
        var part = Variant.FromArray(BuiltInType.Int32, new[] { 8, 9 });

        Assert.Equal(expected, Parse(range).Write(Numbers, part, out _).Code);
    }

    [Fact]
    public void Write_OtherTypeOrShape_IsRefused()
    {
        var shorts = Variant.FromArray(BuiltInType.Int16, new short[] { 1 });
        var flat = Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3, 4 });
        var wide = Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [1, 4]));

        Assert.Equal(StatusCodes.BadTypeMismatch, Parse("0").Write(Numbers, shorts, out _).Code);
        Assert.Equal(StatusCodes.BadIndexRangeDataMismatch, Parse("0").Write(Numbers, new Variant(1), out _).Code);
        Assert.Equal(StatusCodes.BadIndexRangeDataMismatch, Parse("0:1,0:1").Write(Matrix3By4, flat, out _).Code);
        Assert.Equal(StatusCodes.BadIndexRangeDataMismatch, Parse("0:1,0:1").Write(Matrix3By4, wide, out _).Code);
        Assert.Equal(StatusCodes.BadIndexRangeNoData, Parse("0").Write(new Variant(1), new Variant(1), out _).Code);
        Assert.Equal(
            StatusCodes.BadIndexRangeDataMismatch,
            Parse("0:1").Write(new Variant("abc"), new Variant("x"), out _).Code);
        Assert.Equal(
            StatusCodes.BadIndexRangeNoData, Parse("2:3").Write(new Variant("abc"), new Variant("xy"), out _).Code);
        Assert.Equal(
            StatusCodes.BadIndexRangeNoData,
            Parse("0").Write(new Variant((string?)null), new Variant("x"), out _).Code);
        Assert.Equal(
            StatusCodes.BadIndexRangeDataMismatch,
            Parse("0").Write(new Variant("abc"), new Variant((string?)null), out _).Code);
    }

    private static NumericRange Parse(string text)
    {
        Assert.True(NumericRangeText.TryParse(text, out var range));
        return range;
    }

    private static void AssertNoData(string range, Variant value) =>
        Assert.Equal(StatusCodes.BadIndexRangeNoData, Parse(range).Apply(value, out _).Code);
}
