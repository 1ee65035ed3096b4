using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Values of structures that these tests declare, for what namespace 0 hardly has: optional fields, unions,
/// subtypes.</summary>
internal static class OwnSamples
{
    public static IReadOnlyDictionary<string, OwnSample> All { get; } = MakeAll();

    private static Dictionary<string, OwnSample> MakeAll()
    {
        var all = new Dictionary<string, OwnSample>();
        Add("optional fields, none", new OptionalSample { X = 1, Y = 2 });
        Add("optional fields, all", (OptionalSample)SampleStructures.Make(typeof(OptionalSample)));
        Add("optional fields, nested", new OptionalSample { Next = new() { Next = new() { O1 = 1 } } });
        Add("optional fields, derived", (DerivedOptionalSample)SampleStructures.Make(typeof(DerivedOptionalSample)));
        AddEach<OptionalSample>("optional field ", static field => field.GetValue(new OptionalSample()) is null);
        Add("union, none", new UnionSample());
        AddEach<UnionSample>("union of ", static _ => true);
        Add("subtypes, none", new SubtypedSample());
        Add("subtypes", new SubtypedSample
        {
            Token = new(new AnonymousIdentityToken { PolicyId = "p" }),
            Tokens = [new(new UserNameIdentityToken { UserName = "u" }), default, new(new NodeId(1, 9), [1, 2])],
            Choice = new() { Field2 = "text" },
        });
        return all;

        void Add<T>(string name, T value)
            where T : IStructure<T> =>
            all.Add(name, new OwnSample(value, static (ref UaBinaryReader r) => r.ReadStructure<T>()));

        void AddEach<T>(string prefix, Func<System.Reflection.PropertyInfo, bool> isWanted)
            where T : IStructure<T>, new()
        {
            foreach (var field in SampleStructures.Fields(typeof(T)).Where(isWanted))
            {
                var value = new T();
                field.SetValue(value, SampleStructures.ValueOf(field));
                Add(prefix + field.Name, value);
            }
        }
    }
}
