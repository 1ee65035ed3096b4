using System.Numerics;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Operations.Attributes;

/// <summary>The numbers that a value may have: from <see cref="Low"/> to <see cref="High"/>, or a list. All are
/// compared as Double, which holds every number of an enumeration or a state.</summary>
internal readonly struct AllowedValues
{
    /// <summary>A longer list is not checked; the source decides then (R44).</summary>
    public const int MaxListed = 4096;

    private double Low { get; init; }

    private double High { get; init; }

    /// <summary>In ascending order.</summary>
    private double[]? Listed { get; init; }

    /// <summary>Null for a range without width: such a range was never filled in.</summary>
    public static AllowedValues? Of(Range? range) =>
        range is null || !(range.Low < range.High) ? null : new AllowedValues { Low = range.Low, High = range.High };

    /// <summary>From 0 to count - 1; null for a count of 0.</summary>
    public static AllowedValues? OfStates(int count) =>
        count == 0 ? null : new AllowedValues { Low = 0, High = count - 1 };

    /// <summary>Null for no fields, or more than <see cref="MaxListed"/>.</summary>
    public static AllowedValues? Of(EnumField[]? fields) =>
        fields is not { Length: > 0 and <= MaxListed }
            ? null
            : OfNumbers(Array.ConvertAll(fields, static field => (double)field.Value));

    /// <summary>From EnumValueTypes; null for none, or more than <see cref="MaxListed"/>.</summary>
    public static AllowedValues? Of(ExtensionObject[]? numbers)
    {
        if (numbers is not { Length: > 0 and <= MaxListed })
            return null;
        var listed = new double[numbers.Length];
        for (var i = 0; i < listed.Length; i++)
        {
            if (numbers[i].Body is not EnumValueType number)
                return null;
            listed[i] = number.Value;
        }

        return OfNumbers(listed);
    }

    /// <summary>The cost of making this and of <see cref="TakeAll"/>, in units of about 100 ns.</summary>
    public int UnitsFor(in Variant value)
    {
        var count = (value.Elements as Array)?.Length ?? 1;
        return Listed is null ? count / 16 : (Listed.Length / 4) + (count / 2);
    }

    /// <summary>Sorts only if needed: most models list the numbers in order.</summary>
    private static AllowedValues OfNumbers(double[] numbers)
    {
        for (var i = 1; i < numbers.Length; i++)
        {
            if (numbers[i] >= numbers[i - 1])
                continue;
            Array.Sort(numbers);
            break;
        }

        return new AllowedValues { Listed = numbers };
    }

    /// <summary>Checks each element of an array. Elements that are no numbers are left to the type check.</summary>
    public bool TakeAll(in Variant value)
    {
        if (value.IsScalar)
        {
            return value.Type == BuiltInType.Float
                ? Takes(value.AsFloat())
                : value.Type is < BuiltInType.SByte or > BuiltInType.Double || Takes(value.AsDouble());
        }

        return value.Elements switch
        {
            sbyte[] numbers => TakesEach(numbers),
            byte[] numbers => TakesEach(numbers),
            short[] numbers => TakesEach(numbers),
            ushort[] numbers => TakesEach(numbers),
            int[] numbers => TakesEach(numbers),
            uint[] numbers => TakesEach(numbers),
            long[] numbers => TakesEach(numbers),
            ulong[] numbers => TakesEach(numbers),
            float[] numbers => Array.TrueForAll(numbers, Takes),
            double[] numbers => TakesEach(numbers),
            Variant[] elements => TakesEach(elements),
            _ => true,
        };
    }

    /// <summary>False for NaN.</summary>
    private bool Takes(double number) =>
        Listed is null ? number >= Low && number <= High : Array.BinarySearch(Listed, number) >= 0;

    /// <summary>Compares with the bounds as Float: as a Double, 0.1f is more than 0.1.</summary>
    private bool Takes(float number) =>
        Listed is null ? number >= (float)Low && number <= (float)High : Takes((double)number);

    private bool TakesEach<T>(T[] numbers)
        where T : INumberBase<T>
    {
        foreach (var number in numbers)
        {
            if (!Takes(double.CreateSaturating(number)))
                return false;
        }

        return true;
    }

    private bool TakesEach(Variant[] elements)
    {
        foreach (var element in elements)
        {
            if (!TakeAll(element))
                return false;
        }

        return true;
    }
}
