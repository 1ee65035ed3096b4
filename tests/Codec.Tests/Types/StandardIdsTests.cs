using System.Reflection;
using Gateway.Codec.Tests.Structures;
using Gateway.Codec.Types;
using Xunit.Abstractions;

namespace Gateway.Codec.Tests.Types;

/// <summary>Holds the ids that the code names against the standard's table (Part 6 Annex A.3). Where it is not at hand
/// the test says so and checks nothing; in CI that is a failure.</summary>
public sealed class StandardIdsTests(ITestOutputHelper output)
{
    /// <summary>Of 1.05.07; the table is of 1.05.04.</summary>
    private static readonly string[] NewerThanTheTable =
    [
        "ObjectTypes.ConfigurationUpdatedAuditEventType", "Objects.ServerLog",
        "Objects.WellKnownRole_TrustedApplication",
    ];

    [Fact]
    public void Constants_ComparedWithTheTable_AreItsRows()
    {
        var rows = StandardFiles.LoadNodeIds();
        if (rows is null)
        {
            output.WriteLine("skipped: shared/standard/NodeIds.csv is not here");
            Assert.Null(Environment.GetEnvironmentVariable("CI"));
            return;
        }

        var constants = typeof(StandardIds).GetNestedTypes()
            .SelectMany(type => type.GetFields(BindingFlags.Public | BindingFlags.Static)).ToList();

        Assert.NotEmpty(constants);
        Assert.Equal(NewerThanTheTable, constants
            .Where(constant => !Equals(constant.GetRawConstantValue(), IdOf(rows, constant)))
            .Select(constant => $"{constant.DeclaringType!.Name}.{constant.Name}").Order());
    }

    /// <summary>The nested class is the node class, in the plural where it names instances.</summary>
    private static uint? IdOf(Dictionary<(string, string), uint> rows, FieldInfo constant)
    {
        var nodeClass = constant.DeclaringType!.Name[..^1];
        return rows.TryGetValue((nodeClass, constant.Name), out var id) ? id : null;
    }
}
