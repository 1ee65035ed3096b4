using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>A class of benchmarks: every combination of its parameters, set up and cleaned up around its cases.
/// </summary>
internal sealed class BenchmarkClass(Type type, TableAttribute table)
{
    public TableAttribute Table => table;

    public static IEnumerable<BenchmarkClass> All() =>
        from type in Assembly.GetExecutingAssembly().GetTypes()
        let table = type.GetCustomAttribute<TableAttribute>()
        where table is not null
        orderby table.Order
        select new BenchmarkClass(type, table);

    public MarkdownTable Run(Action<string> progress)
    {
        var parameters = type.GetProperties().Where(property => ValuesOf(property) is not null).ToArray();
        var hasPublished = BenchmarkCase.Of(Activator.CreateInstance(type)!).Any(one => one.Published is not null);
        var result = new MarkdownTable(
            ["Operation", .. parameters.Select(property => property.Name)],
            [
                "Time", table.CountsServer ? "Allocated by the server" : "Allocated",
                .. hasPublished ? ["Published"] : Array.Empty<string>(),
            ]);
        foreach (var values in Combinations(parameters))
        {
            var instance = Activator.CreateInstance(type)!;
            for (var i = 0; i < values.Length; i++)
                parameters[i].SetValue(instance, values[i]);
            Call<GlobalSetupAttribute>(instance);
            foreach (var one in BenchmarkCase.Of(instance))
            {
                progress($"{type.Name}.{one.Name} {string.Join(' ', values)}");
                var measured = Meter.Measure(one.Compile(), table.CountsServer);
                result.Add([
                    one.Name, .. values.Select(Text),
                    MarkdownTable.Time(measured.Nanoseconds / one.Operations),
                    MarkdownTable.Bytes(measured.Bytes / one.Operations),
                    .. hasPublished ? [one.Published ?? ""] : Array.Empty<string>(),
                ]);
            }

            result.Foot = type.GetMethod(nameof(ToString))!.DeclaringType == type ? instance.ToString() : null;
            Call<GlobalCleanupAttribute>(instance);
        }

        return result;
    }

    private static object?[]? ValuesOf(PropertyInfo property) => property.GetCustomAttribute<ParamsAttribute>()?.Values;

    private static IEnumerable<object?[]> Combinations(PropertyInfo[] parameters)
    {
        IEnumerable<object?[]> rows = [[]];
        foreach (var parameter in parameters)
            rows = rows.SelectMany(row => ValuesOf(parameter)!.Select(value => (object?[])[.. row, value])).ToArray();
        return rows;
    }

    private static string Text(object? value) => value is int number
        ? number.ToString("N0", CultureInfo.InvariantCulture)
        : value?.ToString() ?? "";

    private void Call<TAttribute>(object instance)
        where TAttribute : Attribute
    {
        foreach (var method in type.GetMethods())
        {
            if (method.GetCustomAttribute<TAttribute>() is not null)
                method.Invoke(instance, null);
        }
    }
}
