"""A blog in memory, served by FastAPI-JSONAPI, which knows atomic operations.

    python fastapi_server.py PORT
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Annotated, ClassVar, Optional

import uvicorn
from fastapi import Depends, FastAPI
from fastapi_jsonapi import ApplicationBuilder
from fastapi_jsonapi.misc.sqla.generics.base import ViewBaseGeneric
from fastapi_jsonapi.schema_base import BaseModel, Field
from fastapi_jsonapi.types_metadata import RelationshipInfo
from fastapi_jsonapi.views import Operation, OperationConfig, ViewBase
from pydantic import ConfigDict
from sqlalchemy import ForeignKey
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.pool import StaticPool

engine = create_async_engine("sqlite+aiosqlite://", poolclass=StaticPool)
new_session = async_sessionmaker(bind=engine, expire_on_commit=False)


class Base(DeclarativeBase):
    pass


class Person(Base):
    __tablename__ = "people"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    articles: Mapped[list["Article"]] = relationship(back_populates="author", lazy="selectin")


class Article(Base):
    __tablename__ = "articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    subtitle: Mapped[Optional[str]]
    author_id: Mapped[Optional[int]] = mapped_column(ForeignKey("people.id"))
    author: Mapped[Optional[Person]] = relationship(back_populates="articles", lazy="selectin")


class PersonAttributes(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    name: str = Field(max_length=20)


class PersonSchema(PersonAttributes):
    articles: Annotated[Optional[list["ArticleSchema"]], RelationshipInfo(resource_type="articles", many=True)] = None


class ArticleSchema(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    title: str = Field(max_length=20)
    subtitle: Optional[str] = None
    author: Annotated[Optional[PersonSchema], RelationshipInfo(resource_type="people")] = None


class ArticleChanges(BaseModel):
    title: Optional[str] = Field(default=None, max_length=20)
    subtitle: Optional[str] = None
    author: Annotated[Optional[PersonSchema], RelationshipInfo(resource_type="people")] = None


async def session() -> AsyncIterator[AsyncSession]:
    async with new_session() as session:
        yield session


class SessionDependency(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    session: AsyncSession = Depends(session)


def data_layer_arguments(view: ViewBase, dependency: SessionDependency) -> dict:
    return {"session": dependency.session}


class View(ViewBaseGeneric):
    operation_dependencies: ClassVar = {
        Operation.ALL: OperationConfig(dependencies=SessionDependency, prepare_data_layer_kwargs=data_layer_arguments)
    }


def make_app() -> FastAPI:
    app = FastAPI()
    builder = ApplicationBuilder(app)
    builder.add_resource(
        path="/people", tags=["People"], resource_type="people", view=View, model=Person, schema=PersonSchema
    )
    builder.add_resource(
        path="/articles",
        tags=["Articles"],
        resource_type="articles",
        view=View,
        model=Article,
        schema=ArticleSchema,
        schema_in_patch=ArticleChanges,
    )
    builder.initialize()
    return app


async def fill():
    """The same articles every time."""
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with new_session() as session:
        ann = Person(name="Ann")
        session.add_all([ann, Person(name="Bea")])
        for number, title in enumerate(("Clocks", "Doors", "Keys", "Lamps", "Maps"), start=1):
            session.add(Article(title=title, author=ann if number % 2 else None))
            await session.flush()
        await session.commit()


async def serve(port: int):
    await fill()
    await uvicorn.Server(uvicorn.Config(make_app(), host="127.0.0.1", port=port, log_level="warning")).serve()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
